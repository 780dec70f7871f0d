// An organization whose ways in are tried: its links, its join code, and people who ask.
import type { InputOf } from '#contract/endpoint.ts'
import {
  acceptLink,
  createLink,
  getInvite,
  type InviteLink,
  listJoinRequests,
  reviewJoinRequest,
  updateLink,
} from '#contract/join.ts'
import { listMembers } from '#contract/membership.ts'
import { createOrganization, updateOrganization } from '#contract/organization.ts'
import { type Office, openOffice } from './office.ts'
import { call, type Person, signUp } from './people.ts'
import type { Engine } from './server.ts'

/** The office, and what its tests do again and again; its admin may be replaced by a later sign-in. */
export async function openWaysIn(engine: Engine) {
  const office: Office = await openOffice(engine)
  let count = 0
  const id = () => office.organization.id
  const person = (name = `申請者 ${++count}`, verify = true) => signUp(office.server, name, { verify })
  const link = (terms: Omit<InputOf<typeof createLink>, 'id'> = {}) =>
    office.inside(office.admin, createLink, { id: id(), ...terms })
  const change = (of: InviteLink, changes: Omit<InputOf<typeof updateLink>, 'id' | 'link_id'>) =>
    office.inside(office.admin, updateLink, { id: id(), link_id: of.id, ...changes })
  const accept = (who: Person, { code }: { code: string }, message = '') =>
    who.call(acceptLink, { code, message })
  const requests = (over: Omit<InputOf<typeof listJoinRequests>, 'id'> = {}) =>
    office.inside(office.admin, listJoinRequests, { id: id(), ...over })
  const review = (
    request_id: string,
    answer: Omit<InputOf<typeof reviewJoinRequest>, 'id' | 'request_id'>,
    by = office.admin,
  ) => office.inside(by, reviewJoinRequest, { id: id(), request_id, ...answer })
  const look = (code: string) => call(office.server, getInvite, { code })
  const member = async (who: Person) =>
    (await office.inside(office.admin, listMembers, { id: id(), page_size: 100 })).items.find(
      ({ user_id }) => user_id === who.uid,
    )
  /** Somebody with an open request. */
  async function asking(message = '您好'): Promise<[Person, string]> {
    const who = await person()
    const { join_request } = await accept(who, await link(), message)
    return [who, join_request?.id as string]
  }
  const settings = (changes: Omit<InputOf<typeof updateOrganization>, 'id'>) =>
    office.inside(office.admin, updateOrganization, { id: id(), ...changes })
  /** Another organization with its own admin. */
  async function openOther() {
    const admin = await person('別家站長')
    const { id: organization } = await admin.call(createOrganization, { name: `別家 ${++count}` })
    return { admin, organization }
  }
  return {
    office,
    id,
    person,
    link,
    change,
    accept,
    requests,
    review,
    look,
    member,
    asking,
    settings,
    openOther,
  }
}
