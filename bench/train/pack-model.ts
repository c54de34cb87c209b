/** Writes trained weights as the text of a model file, rounded to a byte an output. */
import type { ModelFile } from "../../src/insight/classifier/trained-model.ts";
import type { Trained } from "./trainer.ts";

type Head = Pick<ModelFile, "version" | "taxonomy" | "aspects" | "vectors" | "verdict" | "calibration" | "thresholds">;

export function packModel({ keys, weights, input, bias }: Trained, head: Head): string {
  const { outputs, rows, hidden, output } = weights;
  const scales = Array.from({ length: outputs }, (_, column) => {
    let most = 1e-9;
    for (let at = column; at < rows.length; at += outputs) most = Math.max(most, Math.abs(rows[at] ?? 0));
    return short(most / 127);
  });
  const bytes = Int8Array.from(rows, (value, at) => Math.round(value / (scales[at % outputs] ?? 1)));
  const file: ModelFile = {
    format: 1,
    ...head,
    keys: base64(keys),
    weights: { scales, values: base64(bytes) },
    cues: { presence: [...weights.presenceCues].map(short), polarity: [...weights.polarityCues].map(short) },
    hidden: { size: hidden, input: table(input), bias: [...bias].map(short), output: table(output) },
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

function base64(values: Int8Array | Int16Array | Int32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}
