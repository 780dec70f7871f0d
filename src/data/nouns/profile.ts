// The person: what is asked about them, what they change, and how it is shown while it waits.
import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import {
  deleteAccount,
  exportAccount,
  getProfile,
  type Profile,
  sendVerification,
  updateEmail,
  updateName,
  updateProfile,
  uploadAvatar,
  verifyEmail,
} from '#contract/profile.ts'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'
import type { OutboxSnapshot } from '../outbox/door.ts'
import { written } from '../outbox/lay.ts'
import { write } from './write.ts'

export const profileQueries = {
  mine: () =>
    queryOptions({
      queryKey: keys.person.profile,
      queryFn: ({ signal }) => getData().client.call(getProfile, {}, { signal }),
    }),
}

/** Puts what the server has just confirmed into the profile that every screen reads; every change asks for it again anyway. */
export function putProfile(changes: Partial<Profile>): void {
  getData().query.setQueryData(profileQueries.mine().queryKey, (known) => known && { ...known, ...changes })
}

export const profileMutations = {
  /** May wait in the outbox, as taking the picture away may. `base` is the name before. */
  name: (base: string) =>
    write((name: string) =>
      getData().outbox.send(updateName, { name }, { label: `姓名改為「${name}」`, base: { name: base } }),
    ),
  removeAvatar: (base: string | null) =>
    write(() =>
      getData().outbox.send(updateProfile, { avatar: null }, { label: '移除頭像', base: { avatar: base } }),
    ),
  avatar: () =>
    write(
      (input: InputOf<typeof uploadAvatar>) => getData().client.call(uploadAvatar, input),
      ({ avatar }) => putProfile({ avatar }),
    ),
  email: () =>
    write(
      (input: InputOf<typeof updateEmail>) => getData().client.call(updateEmail, input),
      ({ email }) => putProfile({ email, email_verified: false }),
    ),
  sendCode: () => write(() => getData().client.call(sendVerification, {})),
  verify: () =>
    write(
      (code: string) => getData().client.call(verifyEmail, { code }),
      () => putProfile({ email_verified: true }),
    ),
  /** Everything that is the person's, as a file; changes nothing. */
  export: () => write(() => getData().client.download(exportAccount, {})),
  /** The account goes, and with it what this device has of it. */
  remove: () =>
    write((input: InputOf<typeof deleteAccount>) => {
      const data = getData()
      return data.signOut({ by: () => data.client.call(deleteAccount, input) })
    }),
}

/** The profile as the person left it: name and picture. The same object when nothing waits. */
export function layProfile(profile: Profile, outbox: OutboxSnapshot, data_at: number): Profile {
  const fields = written(outbox, data_at, ({ endpoint }) => /^profile\.update(-name)?$/.test(endpoint))
  if (!fields) return profile
  const { name = profile.name, avatar = profile.avatar } = fields as Partial<Profile>
  return { ...profile, name, avatar }
}
