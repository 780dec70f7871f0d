// The demonstration's people call the server as browsers do.
import { type Endpoint, type Envelope, type InputOf, type OutputOf, open, route } from '#contract/endpoint.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'

/** One call as a browser makes it; throws the refusal. */
export async function call<E extends Endpoint>(
  url: string,
  endpoint: E,
  input: InputOf<E>,
  token?: string,
  organization_id?: string,
): Promise<OutputOf<E>> {
  const { path, rest } = route(endpoint, input as Record<string, unknown>)
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: endpoint.method,
    headers: {
      'content-type': 'application/json',
      // Its sign-ins stand in the list of devices under this name.
      'user-agent': 'LingBo-demo',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(organization_id && { 'lb-org-id': organization_id }),
    },
    ...(endpoint.method !== 'GET' && { body: JSON.stringify(rest) }),
  })
  return open((await answer.json()) as Envelope<OutputOf<E>>, answer.status)
}

/** Makes a strategy of the token's person or organization; its id and the path of its first webhook. */
export async function makeStrategy(
  url: string,
  input: StrategyInput,
  token: string,
  organization_id?: string,
): Promise<{ id: string; hook: string }> {
  const { id, webhooks } = await call(url, createStrategy, input, token, organization_id)
  return { id, hook: new URL(webhooks?.[0]?.url as string).pathname }
}
