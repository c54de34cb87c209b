/** The parts of an OpenAPI description that the reference uses. */
export interface SchemaPart {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaPart[];
  readonly items?: SchemaPart;
  readonly additionalProperties?: SchemaPart | boolean;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly title?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaPart;
  readonly example?: unknown;
}

export type Content = Readonly<Record<string, { readonly schema: SchemaPart; readonly example?: unknown }>>;

export interface OperationResponse {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, ResponseHeader>>;
  readonly content?: Content;
}

export interface ResponseHeader {
  readonly $ref?: string;
  readonly description?: string;
  readonly example?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly externalDocs?: { readonly url: string };
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, OperationResponse>>;
}

export interface Description {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The requests of the hub to a subscriber's callback. */
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaPart>>;
    readonly responses: Readonly<Record<string, OperationResponse>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, ResponseHeader>>;
  };
}
