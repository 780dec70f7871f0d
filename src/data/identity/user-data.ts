// Every change of the person asks for what is theirs again (spec §7), and so does a refusal; a profile that the server has just told is passed on.
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { getProfile, type Profile } from '#contract/start.ts'
import type { CallShape, Client } from '../client.ts'
import { keys } from '../keys.ts'

/** Calls under /user that change nothing of the person: the session's own. */
const SESSION_ONLY = new Set(['session.login', 'session.logout', 'session.renew'])

/** True for a call that changes the person's data. */
export function changesUser({ name, method, path }: CallShape): boolean {
  return method !== 'GET' && path.startsWith('/user/') && !SESSION_ONLY.has(name)
}

/** The same client; after each user mutation the cached data of the person is out of date. `on_profile`: the server's own answer, never a kept one. */
export function refreshingUser(
  client: Client,
  query: () => QueryClient,
  on_profile: (profile: Profile) => void,
): Client {
  const after = <T>(shape: CallShape, answer: T): T => {
    if (shape.name === getProfile.name) {
      // a success without its result is a failure without words (spec §7)
      if (answer === null || answer === undefined) throw new ApiError(5000, {})
      on_profile(answer as unknown as Profile)
    }
    if (changesUser(shape)) void query().invalidateQueries({ queryKey: keys.person.all })
    return answer
  }
  /** The role is another one than this page believes, and nobody has told it so: whoever was demoted leaves what is not theirs at once. */
  const refused = ({ name }: CallShape) => {
    return (error: unknown): never => {
      if (error instanceof ApiError && error.code === 4030 && name !== getProfile.name)
        void query().invalidateQueries({ queryKey: keys.person.profile })
      throw error
    }
  }
  return {
    call: async (endpoint, input, options) =>
      after(endpoint, await client.call(endpoint, input, options).catch(refused(endpoint))),
    download: (endpoint, input, options) =>
      client.download(endpoint, input, options).catch(refused(endpoint)),
    send: async (shape, input, options) =>
      after(shape, await client.send(shape, input, options).catch(refused(shape))),
  }
}
