// One of everything that calls can name (matrix.ts), made for a person through the real calls.
import { createAnnouncement } from '#contract/announcement.ts'
import { addGroupMembers, createGroup } from '#contract/group.ts'
import { createInvites, createLink } from '#contract/join.ts'
import { listSessions } from '#contract/session.ts'
import { createStrategy, noteImageId, uploadNoteImage } from '#contract/strategy.ts'
import type { HookAnswer } from '#contract/webhook.ts'
import { PIXEL } from './matrix.ts'
import { type Person, type Reachable, signIn } from './people.ts'
import type { Things } from './trial.ts'

/** `mark` stands in what the person writes; `headers` name the organization, if it is to be one's. */
export async function makeThings(
  server: Reachable,
  person: Person,
  mark = '一件',
  headers: Record<string, string> = {},
): Promise<Things> {
  const { url } = await person.call(uploadNoteImage, { image: PIXEL }, headers)
  const note = `${mark} ![](${url})`
  const made = await person.call(
    createStrategy,
    { kind: 'futures', name: mark, note, tags: ['mark'], settings: { product_code: 'TXF' } },
    headers,
  )
  const webhook = made.webhooks?.[0]
  const path = new URL(webhook?.url as string).pathname
  const post = async (body: string) =>
    (await (await server.request(path, { method: 'POST', body })).json()) as HookAnswer
  const message = { symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000, note: mark }
  const { signal_id } = await post(JSON.stringify(message))
  // One that waits for somebody to say how it is read.
  const waiting = JSON.stringify({ symbol: 'TXF1!', side: 'buy', lots: 1, px: 23_000, memo: mark })
  const { format_id } = await post(waiting)
  // What cannot be read may be tried again.
  const { delivery_id } = await post(`${mark} is no signal`)
  const spare = await signIn(server, person.email)
  const session_id = (await spare.call(listSessions, {})).find(({ current }) => current)?.id
  return {
    strategy_id: made.id,
    strategy_name: made.name,
    webhook_id: webhook?.id as string,
    delivery_id: delivery_id as string,
    format_id: format_id as string,
    signal_id: signal_id as string,
    image_id: noteImageId(url) as string,
    session_id: session_id as string,
    email: person.email,
    ...(headers['lb-org-id'] && (await organizationThings(person, headers['lb-org-id'], mark))),
  }
}

/** What stands in an organization whose admin the person is. */
async function organizationThings(
  person: Person,
  organization_id: string,
  mark: string,
): Promise<Partial<Things>> {
  const inside = { 'lb-org-id': organization_id }
  const group = await person.call(createGroup, { name: mark }, inside)
  await person.call(addGroupMembers, { id: group.id, user_ids: [person.uid] }, inside)
  const announced = await person.call(
    createAnnouncement,
    { id: organization_id, title: mark, body: mark, tags: ['mark'], group_ids: [group.id] },
    inside,
  )
  const emails = [`invited-by-${person.email}`]
  const [sent] = await person.call(createInvites, { id: organization_id, emails }, inside)
  return {
    organization_id,
    member_id: person.uid,
    group_id: group.id,
    group_member_id: person.uid,
    announcement_id: announced.id,
    link_id: (await person.call(createLink, { id: organization_id }, inside)).id,
    ...(sent?.invite && { invite_id: sent.invite.id }),
  }
}
