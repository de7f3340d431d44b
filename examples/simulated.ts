/** The body of a request to a simulated model. */
// deno-lint-ignore no-explicit-any -- each vendor has a body of its own
export type Body = any;

/**
 * Simulates the server of a model, as a `fetch`: each request gets the next
 * answer, made from its body. To ask the real model, leave `fetch` out of the
 * client's options.
 */
export function simulated(answers: readonly ((sent: Body) => unknown)[]) {
  const left = [...answers];
  return async (url: string | URL | Request, init?: RequestInit) => {
    const sent = await new Request(url, init).json();
    const answer = left.shift();
    if (answer === undefined) {
      throw new Error("The simulated model is finished");
    }
    return Response.json(answer(sent));
  };
}
