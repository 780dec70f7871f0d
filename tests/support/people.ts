// People for tests: sign up through the real calls, read the real mail, call endpoints by their contract.
import { type Endpoint, type Envelope, type InputOf, type OutputOf, open, route } from '#contract/endpoint.ts'
import { sendVerification, verifyEmail } from '#contract/profile.ts'
import { login, register } from '#contract/session.ts'
import type { Letter } from './server.ts'

export const PASSWORD = 'correct horse 42'

/** The part of a server that people need. */
export interface Reachable {
  request(path: string, init?: RequestInit): Promise<Response>
  mails(): Promise<Letter[]>
}

export interface Person {
  uid: string
  email: string
  name: string
  token: string
  /** Calls as this person; throws the ApiError of a refusal. */
  call<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    headers?: Record<string, string>,
  ): Promise<OutputOf<E>>
}

let count = 0

/** Registers, signs in and (unless told otherwise) verifies the address with the code from the mail. */
export async function signUp(
  server: Reachable,
  name = '王小明',
  options: { verify?: boolean } = {},
): Promise<Person> {
  const email = `person-${process.pid}-${++count}@example.com`
  await call(server, register, { account: email, email, name, password: PASSWORD })
  const person = await signIn(server, email, name)
  if (options.verify === false) return person
  await person.call(sendVerification, {})
  await person.call(verifyEmail, { code: await codeFor(server, email) })
  return person
}

/** Signs in to an account that exists. */
export async function signIn(server: Reachable, email: string, name = ''): Promise<Person> {
  const { access_token: token } = await call(server, login, { account: email, password: PASSWORD })
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    uid: string
  }
  return {
    uid: claims.uid,
    email,
    name,
    token,
    call: (endpoint, input, headers) =>
      call(server, endpoint, input, { authorization: `Bearer ${token}`, ...headers }),
  }
}

/** Calls an endpoint; throws the ApiError of a refusal. */
export async function call<E extends Endpoint>(
  server: Reachable,
  endpoint: E,
  input: InputOf<E>,
  headers: Record<string, string> = {},
): Promise<OutputOf<E>> {
  const answer = await send(server, endpoint, input, headers)
  return open((await answer.json()) as Envelope<OutputOf<E>>, answer.status)
}

/** Calls an endpoint; gives the raw response. */
export function send<E extends Endpoint>(
  server: Reachable,
  endpoint: E,
  input: InputOf<E>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { path, rest } = route(endpoint, input as Record<string, unknown>)
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(rest))
      if (value !== undefined && value !== null) query.set(key, String(value))
    return server.request(`/api/v1${path}${query.size > 0 ? `?${query}` : ''}`, { headers })
  }
  const { body = 'json' } = endpoint
  const bytes = body === 'json' ? null : (rest[body] as Uint8Array<ArrayBuffer>)
  return server.request(`/api/v1${path}${body === 'file' ? fileQuery(rest) : ''}`, {
    method: endpoint.method,
    headers: { 'content-type': bytes ? 'application/octet-stream' : 'application/json', ...headers },
    body: bytes ?? JSON.stringify(rest),
  })
}

/** The other fields of a call whose body is a file stand in its address. */
export function fileQuery({ file: _, ...fields }: Record<string, unknown>): string {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return `?${new URLSearchParams(known.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]))}`
}

/** The newest code mailed to the address; waits for the mail, which is sent after the answer. */
export async function codeFor(server: Reachable, email: string): Promise<string> {
  for (let i = 0; i < 2_400; i++) {
    const mine = (await server.mails()).filter((mail) => mail.to === email)
    const code = /^\d{6}$/m.exec(mine.at(-1)?.text ?? '')?.[0]
    if (code) return code
    await new Promise((next) => setTimeout(next, 25))
  }
  throw new Error(`no code for ${email} in the mails`)
}
