import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../../test/support/import-sandbox.ts";
import { likelyEncodings, strangeWords } from "./likely-encoding.ts";

/** A text as an older program writes it. */
function encoded(encoding: string, text: string): Buffer {
  const bytes = new Map(
    Array.from({ length: 128 }, (_, at) => [new TextDecoder(encoding).decode(Uint8Array.of(at + 128)), at + 128]),
  );
  return Buffer.from([...text].map((letter) => bytes.get(letter) ?? letter.charCodeAt(0)));
}

const FILES = [
  ["windows-1254", "Şükrü Aydın;Çok iyi hizmet, teşekkürler"],
  ["windows-1254", "Aydın;5"],
  ["windows-1250", "Václav Dvořák;Přišli včas a všechno opravili"],
  ["windows-1250", "Łukasz Wiśniewski;Bardzo dobra obsługa, polecam każdemu"],
  ["windows-1250", "Erdős Miklós;Nagyon jó munka, köszönöm szépen"],
  ["windows-1250", "Ivan Horvat;Došli su odmah, čista petica"],
  ["windows-1250", "Ioan;Foarte bună treabă, mulţumesc"],
  ["windows-1251", "Пётр;Отличная работа"],
  ["windows-1253", "Γιώργος;Πολύ καλή δουλειά"],
  ["windows-1257", "Žydrūnas;Labai gerai, ačiū už greitą darbą"],
  ["macintosh", "Günther Müller;Schöne Größe"],
  ["windows-1252", "Günther Müller;Sehr schöne Arbeit, größer"],
  ["windows-1252", "François;Très bien, équipe à l’écoute"],
  ["windows-1252", "Muñoz;Muy rápido, señor"],
  ["windows-1252", "João;5"],
  ["windows-1252", "Søren Kjær;Rigtig godt arbejde, på tid"],
  ["windows-1252", "Þórður Guðmundsson;Mjög góð þjónusta"],
  ["windows-1252", "José, François, Jürgen, Søren, Nuño, Zoë, André, Åsa"],
  ["windows-1252", "It’s “great” – £50"],
] as const;

test("likelyEncodings() knows in which encoding an older program has written a file, by its letters", async () => {
  for (const [encoding, text] of FILES) {
    async function* bytes() {
      yield encoded(encoding, text);
    }
    assert.equal(likelyEncodings(await strangeWords({ bytes }))[0]?.encoding, encoding, text);
  }
});

test("a file in another encoding is refused with the likeliest one, and told where it is read in another", async () => {
  const rows = encoded("windows-1254", "Name;Rating;Date;Text\nŞükrü Aydın;5;2025-01-05;Çok iyi, teşekkürler\n");
  await using box = await openSandbox();
  const path = box.write("a.csv", rows);
  assert.match(
    (await box.refusal(path)).join(),
    /import it with --encoding windows-1254 \(which reads "Şükrü, Aydın, Çok"/,
  );
  const warned = (await box.take(path, { encoding: "windows-1252", dryRun: true })).warnings.join("\n");
  assert.match(warned, /a\.csv is read as windows-1252 \("Þükrü, Aydýn, Çok"\), but seems to be windows-1254 \("Şükrü/);
  const { warnings } = await box.take(path, { encoding: "windows-1254" });
  assert.doesNotMatch(warnings.join("\n"), /seems to be/);
  assert.equal((await box.rows())[0]?.author, "Şükrü Aydın");
});
