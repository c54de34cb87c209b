/** A self-signed certificate for servers on loopback, made when asked for, so that tests need no tool and keep no key. */
import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";

export interface TestCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

const NAMES = ["localhost", "*.test.localhost", "*.hub.example", "*.failing.example"];
const ADDRESSES = ["7f000001", "7f000002", "7f000003", "00000000000000000000000000000001"];

/** A certificate of its own authority, for localhost, every name under test.localhost, hub.example and failing.example, 127.0.0.1 to .3 and ::1. */
export function makeTestCertificate(
  names: readonly string[] = NAMES,
  { fromDay = -1, toDay = 30 } = {},
): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(objectId("550403"), der(0x0c, Buffer.from("Goodword test only")))));
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const alternatives = [
    ...names.map((each) => der(0x82, Buffer.from(each))),
    ...ADDRESSES.map((each) => der(0x87, Buffer.from(each, "hex"))),
  ];
  const extensions = [
    extension("551d13", sequence(der(0x01, Buffer.of(0xff)))),
    extension("551d11", sequence(...alternatives)),
  ];
  const body = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(fromDay), time(toDay)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    certificate: pem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

/** One value in DER (X.690): its type, its length, its bytes. */
function der(type: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...head]), bytes]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return der(0x31, part);
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), der(0x04, value));
}

function time(daysFromNow: number): Buffer {
  const text = new Date(Date.now() + daysFromNow * 86_400_000).toISOString();
  return der(0x18, Buffer.from(`${text.replaceAll(/[-:T]/g, "").slice(0, 14)}Z`));
}

function pem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes.toString("base64").replaceAll(/.{1,64}/g, "$&\n")}-----END ${label}-----\n`;
}
