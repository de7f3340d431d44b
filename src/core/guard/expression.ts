// Runtime-agnostic.

/** A part of a regular expression, as far as globs are made of such. */
export type ExpressionPart =
  /** One code unit: as itself, escaped, as a class, or any. */
  | { readonly kind: "one"; readonly source: string }
  /** The end of the text. */
  | { readonly kind: "end" }
  | { readonly kind: "sequence"; readonly parts: readonly ExpressionPart[] }
  | { readonly kind: "choice"; readonly parts: readonly ExpressionPart[] }
  | {
    readonly kind: "repeat";
    readonly part: ExpressionPart;
    readonly sign: "*" | "+" | "?";
  }
  /** Nothing, where the part does not come next. */
  | { readonly kind: "unless"; readonly part: ExpressionPart };

/**
 * What an expression is made of: groups and their ends, signs of repetition, and
 * characters; a class, and what is escaped, is one character.
 */
const TOKEN =
  /\(\?[:!]|[()|*+?$^]|\\u[\da-f]{4}|\\[^]|\[\^?(?:\\[^]|[^\]\\])*\]|[^]/giy;

/** Takes the source of a `RegExp` apart; throws a `SyntaxError` at what no glob is made of. */
export function parseExpression(source: string): ExpressionPart {
  const tokens = source.match(TOKEN) ?? [];
  // It matches from the beginning in any case.
  let at = tokens[0] === "^" ? 1 : 0;

  function readChoice(): ExpressionPart {
    const parts = [readSequence()];
    while (tokens[at] === "|") {
      at++;
      parts.push(readSequence());
    }
    return { kind: "choice", parts };
  }

  function readSequence(): ExpressionPart {
    const parts: ExpressionPart[] = [];
    for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
      if (token === "|" || token === ")") break;
      at++;
      parts.push(readRepeats(readOne(token)));
    }
    return { kind: "sequence", parts };
  }

  function readRepeats(part: ExpressionPart): ExpressionPart {
    const sign = tokens[at];
    if (sign !== "*" && sign !== "+" && sign !== "?") return part;
    at++;
    return readRepeats({ kind: "repeat", part, sign });
  }

  function readOne(token: string): ExpressionPart {
    if (token === "$") return { kind: "end" };
    if (token === "(?:" || token === "(?!") {
      const part = readChoice();
      if (tokens[at++] !== ")") throw unknown(token);
      return token === "(?:" ? part : { kind: "unless", part };
    }
    if (/^[()*+?^]$/.test(token)) throw unknown(token);
    return { kind: "one", source: token };
  }

  const whole = readChoice();
  if (at < tokens.length) throw unknown(tokens[at]!);
  return whole;
}

function unknown(token: string): SyntaxError {
  return new SyntaxError(`No glob is made of ${token}`);
}
