/** Writes trained weights as the text of a model file, rounded to 127 steps an output and deflated. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ModelFile } from "../../src/insight/engine/trained-model.ts";
import type { Start, Trained } from "./trainer.ts";

type Head = Pick<ModelFile, "version" | "taxonomy" | "aspects" | "vectors" | "verdict" | "calibration" | "thresholds">;

/** The steps on either side of zero. Twice as many make the file a fifth larger and change no figure beyond chance. */
const STEPS = 63;

export function packModel({ keys, weights, rows, input, bias, output }: Trained, head: Head): string {
  const { outputs } = weights;
  const scales = Array.from({ length: outputs }, (_, column) => {
    let most = 1e-9;
    for (let at = column; at < rows.length; at += outputs) most = Math.max(most, Math.abs(rows[at] ?? 0));
    return short(most / STEPS);
  });
  const bytes = Int8Array.from(rows, (value, at) => Math.round(value / (scales[at % outputs] ?? 1)));
  const file: ModelFile = {
    format: 1,
    ...head,
    keys: deflated(inPlanes(keys)),
    weights: { scales, values: deflated(bytes) },
    cues: { presence: [...weights.presenceCues].map(short), polarity: [...weights.polarityCues].map(short) },
    hidden: { size: bias.length, input: table(input), bias: [...bias].map(short), output: table(output) },
  };
  return `${JSON.stringify(file)}\n`;
}

function table(values: Float64Array): { scale: number; values: string } {
  const scale = short(values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9) / 32767);
  return { scale, values: base64(Int16Array.from(values, (value) => Math.round(value / scale))) };
}

function short(value: number): number {
  return Number(value.toPrecision(7));
}

/** The contents of a model file, which are the same to the bit where another machine deflates them to other bytes. */
export function contents(json: string): string {
  const { keys, weights, ...rest } = JSON.parse(json) as ModelFile;
  const inflated = [keys, weights.values].map((text) => inflateRawSync(Buffer.from(text, "base64")).toString("base64"));
  return JSON.stringify([inflated, weights.scales, rest]);
}

/** The weights of a model file, for training to start from. */
export function unpackModel(json: string): Start {
  const { keys, weights, cues, hidden } = JSON.parse(json) as ModelFile;
  const planes = inflated(keys);
  const outputs = weights.scales.length;
  const hashes = new Int32Array(planes.length / 4);
  for (let at = 0, key = 0; at < hashes.length; at++) {
    for (let plane = 0; plane < 4; plane++) key += (planes[plane * hashes.length + at] as number) << (8 * plane);
    hashes[at] = key;
  }
  const rows = Float64Array.from(new Int8Array(inflated(weights.values).buffer), (value, at) => {
    return value * (weights.scales[at % outputs] as number);
  });
  const numbers = ({ scale, values }: ModelFile["hidden"]["input"]) =>
    Float64Array.from(new Int16Array(Uint8Array.from(Buffer.from(values, "base64")).buffer), (value) => value * scale);
  const [input, output] = [numbers(hidden.input), numbers(hidden.output)];
  return { keys: hashes, rows, cues, input, bias: Float64Array.from(hidden.bias), output };
}

function inflated(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(inflateRawSync(Buffer.from(base64, "base64")));
}

/** What each is more than the one before, the low bytes of all first: the high ones are alike. */
function inPlanes(ascending: Int32Array): Uint8Array {
  const planes = new Uint8Array(4 * ascending.length);
  for (let at = 0, before = 0; at < ascending.length; at++) {
    const key = ascending[at] as number;
    const more = key - before;
    for (let plane = 0; plane < 4; plane++) planes[plane * ascending.length + at] = more >>> (8 * plane);
    before = key;
  }
  return planes;
}

function deflated(values: Int8Array | Uint8Array): string {
  return deflateRawSync(values, { level: 9 }).toString("base64");
}

function base64(values: Int16Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}
