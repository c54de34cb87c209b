/** Why a followed address gave nothing: a sentence for the owner, and how long the other side asks to wait. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
