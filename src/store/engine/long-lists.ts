/**
 * Long lists in statements (`id in (…)`). Databases limit the values of a statement, so that a list of more than some
 * hundred goes into it as one value. No caller has to cut a list into pieces.
 */
import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SqliteQueryCompiler,
} from "kysely";
import { boundedPages } from "../../lib/bounded-pages.ts";

/** Up to this length each value is a parameter of its own. */
export const MAX_LISTED_VALUES = 500;

/** The values of a long list, and whether the others are meant; undefined for any other comparison. */
function longListOf({ operator, rightOperand }: BinaryOperationNode) {
  if (!PrimitiveValueListNode.is(rightOperand) || rightOperand.values.length <= MAX_LISTED_VALUES) return undefined;
  if (!OperatorNode.is(operator) || (operator.operator !== "in" && operator.operator !== "not in")) return undefined;
  return { values: rightOperand.values, isNegated: operator.operator === "not in" };
}

/** Sends a long list as JSON, in pieces that are no larger than a row may be. */
export class LongListSqliteCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const list = longListOf(node);
    if (list === undefined) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(node.leftOperand);
    this.append(list.isNegated ? " not in (" : " in (");
    for (const [at, piece] of [...boundedPages(list.values, bytesAsJson)].entries()) {
      this.append(`${at === 0 ? "" : " union all "}select value from json_each(`);
      this.appendValue(JSON.stringify(piece));
      this.append(")");
    }
    this.append(")");
  }
}

function bytesAsJson(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}

/** Sends a long list as an array. */
export class LongListPostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const list = longListOf(node);
    if (list === undefined) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(node.leftOperand);
    this.append(list.isNegated ? " <> all(" : " = any(");
    this.appendValue(list.values);
    this.append(list.values.every((value) => typeof value === "number") ? "::bigint[])" : "::text[])");
  }
}
