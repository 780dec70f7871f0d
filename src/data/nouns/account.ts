// What a person changes of their account: name, picture, e-mail; the file of everything, and the end of it.

import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { decideInteraction, listGrants, readInteraction, revokeGrant } from '#contract/oauth.ts'
import {
  deleteAccount,
  exportAccount,
  sendVerification,
  updateEmail,
  updateName,
  updateProfile,
  uploadAvatar,
  verifyEmail,
} from '#contract/profile.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import { putProfile } from './profile.ts'

export const accountMutations = {
  /** May wait in the outbox, as taking the picture away may. `base` is the name before. */
  name: (base: string) =>
    write((name: string) =>
      getData().outbox.send(updateName, { name }, { label: `姓名改為「${name}」`, base: { name: base } }),
    ),
  removeAvatar: (base: string | null) =>
    write(() =>
      getData().outbox.send(updateProfile, { avatar: null }, { label: '移除頭像', base: { avatar: base } }),
    ),
  /** As soon as the picture is small enough. Its screen puts the answer (`putProfile`) in the turn in which it says so. */
  avatar: () =>
    write(async (image: Promise<InputOf<typeof uploadAvatar>['image']>) =>
      getData().client.call(uploadAvatar, { image: await image }),
    ),
  /** As the picture: its screen puts the answer. */
  email: () => write((input: InputOf<typeof updateEmail>) => getData().client.call(updateEmail, input)),
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

// Applications of others: one request of theirs, what one has let them do, taking it back. Never kept on the device.

const meta = { keep: false }

export const oauthQueries = {
  /** One request of an application; it ends by itself, so it is always asked afresh. */
  interaction: (uid: string) =>
    queryOptions({
      queryKey: keys.person.interaction(uid),
      queryFn: ({ signal }) => getData().client.call(readInteraction, { uid }, { signal }),
      staleTime: 0,
      gcTime: 0,
      meta,
    }),
  grants: () =>
    queryOptions({
      queryKey: keys.person.grants,
      queryFn: ({ signal }) => getData().client.call(listGrants, {}, { signal }),
      meta,
    }),
}

export const oauthMutations = {
  decide: () =>
    write((input: InputOf<typeof decideInteraction>) => getData().client.call(decideInteraction, input)),
  /** Its row stays busy until the list is here again. */
  revoke: () => ({
    ...write((input: InputOf<typeof revokeGrant>) => getData().client.call(revokeGrant, input)),
    onSettled: () => askAgain(keys.person.grants),
  }),
}
