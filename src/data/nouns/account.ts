// What a person changes of their account: name, picture, e-mail; the file of everything, and the end of it.
import type { InputOf } from '#contract/endpoint.ts'
import {
  deleteAccount,
  exportAccount,
  type Profile,
  sendVerification,
  updateEmail,
  updateName,
  updateProfile,
  uploadAvatar,
  verifyEmail,
} from '#contract/profile.ts'
import { getData, write } from '../current.ts'
import { profileQueries } from './profile.ts'

/** Puts what the server has just confirmed into the profile that every screen reads; every change asks for it again anyway. */
export function putProfile(changes: Partial<Profile>): void {
  getData().query.setQueryData(profileQueries.mine().queryKey, (known) => known && { ...known, ...changes })
}

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
