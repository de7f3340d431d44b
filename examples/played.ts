/** The body of a request to a played model. */
// deno-lint-ignore no-explicit-any -- each vendor has a body of its own
export type Body = any;

/**
 * Plays the server of a model: each request gets the next answer, made from its
 * body. Leave it out of the client's options to ask the real model.
 */
export function played(answers: readonly ((sent: Body) => unknown)[]) {
  const left = [...answers];
  return async (url: string | URL | Request, init?: RequestInit) => {
    const sent = await new Request(url, init).json();
    const answer = left.shift();
    if (answer === undefined) throw new Error("The played model is finished");
    return Response.json(answer(sent));
  };
}
