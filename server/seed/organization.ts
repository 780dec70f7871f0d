// The organization of the demonstration: its admin is the trader; three members came by invitation, into two groups with dates.

import { createAnnouncement } from '#contract/announcement.ts'
import { addGroupMembers, createGroup, setGroupStrategies, updateGroupMember } from '#contract/group.ts'
import { acceptInvite, acceptLink, createInvites, createLink, listMyInvites } from '#contract/join.ts'
import { type ContactNode, createOrganization, updateOrganization } from '#contract/organization.ts'
import { login, register } from '#contract/session.ts'
import type { StrategyInput } from '#contract/strategy.ts'
import { addDays, instantOf } from '#trading/calendar.ts'
import { call, makeStrategy } from './call.ts'

// What the demonstration's organization has announced: to everybody, to one group, and one that is still a draft.

const HOURS = `每月第三個星期三是近月契約的最後交易日。

- **日盤提早到 13:30 收盤**，不是 13:45
- 當沖組的策略 13:15 以前平倉
- 下一筆起改用次月契約，請看訊號上的月份

| 商品 | 收盤 |
|---|---|
| 近月 | 13:30 |
| 其他月份 | 13:45 |
`
const LETTER = `這個月起改成**兩口分批進場**：第一口照訊號，第二口在回檔後補上，出場不變。

紀錄不會改寫：舊的單口訊號照樣留著。
`
const LESSON = `直播連結當天再補。內容：怎麼看「現在部位」、怎麼設依序通知。
`

/**
 * By the organization's admin; `slow` is the group of the first, `today` a day in Taipei: they appear days before it, when the
 * demonstration's clock gets there. Nobody is alarmed by them.
 */
export async function announce(
  url: string,
  token: string,
  { id, slow, today }: { id: string; slow: string; today: string },
): Promise<void> {
  const said = { id, notify: false }
  const evening = (days: number) => instantOf(addDays(today, days), '18:00')
  await call(
    url,
    createAnnouncement,
    {
      ...said,
      title: '波段組改為分批進場',
      body: LETTER,
      tags: ['策略'],
      group_ids: [slow],
      publish_at: evening(-9),
    },
    token,
    id,
  )
  await call(
    url,
    createAnnouncement,
    {
      ...said,
      title: '最後交易日提早收盤',
      body: HOURS,
      tags: ['重要'],
      pinned: true,
      publish_at: evening(-2),
    },
    token,
    id,
  )
  await call(
    url,
    createAnnouncement,
    { ...said, title: '線上說明會', body: LESSON, tags: ['活動'], publish_at: null },
    token,
    id,
  )
}

/** Signs in with the demonstration's password, to see what a member sees. */
export const DEMO_MEMBER = 'member@lingbo.example'

const PEOPLE = [
  { email: DEMO_MEMBER, name: '陳曉明' },
  { email: 'chang@lingbo.example', name: '張雅筑' },
  { email: 'lee@lingbo.example', name: '李承翰' },
] as const

const STRATEGIES: StrategyInput[] = [
  {
    kind: 'futures',
    name: '浪花當沖',
    summary: '給當沖組的訊號，收盤前一定平倉。',
    tags: ['當沖', '會員'],
    trade_style: 'day',
    timeframe: '15',
    initial_capital: 500_000,
    max_position: 4,
    settings: { product_code: 'MXF', contract_rule: 'near', session: 'day', fee_per_side: 25 },
  },
  {
    kind: 'futures',
    name: '長浪波段',
    summary: '給波段組的訊號，一週一到兩次。',
    tags: ['波段', '會員'],
    trade_style: 'swing',
    timeframe: '60',
    initial_capital: 1_500_000,
    max_position: 2,
    settings: { product_code: 'TXF', contract_rule: 'near', session: 'day_night', fee_per_side: 50 },
  },
]

/** What the story goes on with: the organization, one of its groups, and the paths of its two strategies' webhooks in the order of the story. */
interface SeededOrganization {
  readonly id: string
  readonly slow: string
  readonly hooks: readonly [string, string]
}

interface Setting {
  /** Of the trader. */
  readonly token: string
  readonly password: string
  verify(email: string): Promise<void>
  /** Taipei, `YYYY-MM-DD`: the day the demonstration is shown. */
  readonly today: string
}

/** Nobody real is behind them. */
const CONTACTS: ContactNode[] = [
  {
    ...{ label: '學員服務', type: 'text', value: '週一到週五 08:30–17:00' },
    children: [
      { label: '客服信箱', type: 'email', value: 'service@lingbo.example' },
      { label: '課程說明', type: 'url', value: 'https://example.com/course' },
    ],
  },
]

/** Makes it all through the calls of the screens. */
export async function openOrganization(
  url: string,
  { token, password, verify, today }: Setting,
): Promise<SeededOrganization> {
  const { id } = await call(
    url,
    createOrganization,
    {
      name: '浪花訊號社',
      introduction: '每天盤中分享期貨當沖與波段訊號，紀錄公開、不刪改。',
      contact_email: 'demo@lingbo.example',
    },
    token,
  )
  await call(url, updateOrganization, { id, contact_links: CONTACTS }, token, id)
  const day = (n: number) => addDays(today, n)
  const hooks: string[] = []
  const strategy_ids: string[] = []
  for (const input of STRATEGIES) {
    const made = await makeStrategy(url, input, token, id)
    strategy_ids.push(made.id)
    hooks.push(made.hook)
  }
  const [intraday = '', swing = ''] = strategy_ids
  const group = async (name: string, description: string, strategy_id: string) => {
    const made = await call(url, createGroup, { name, description }, token, id)
    const strategies = [{ strategy_id, starts_on: day(-30) }]
    await call(url, setGroupStrategies, { id: made.id, strategies }, token, id)
    return made.id
  }
  const fast = await group('當沖組', '盤中進出，收盤前平倉', intraday)
  const slow = await group('波段組', '順勢留倉', swing)
  const uids: string[] = []
  for (const person of PEOPLE) uids.push(await join(url, { token, password, verify }, id, person, day(120)))
  const [member = '', second = '', third = ''] = uids
  const since = { starts_on: day(-30) }
  await call(url, addGroupMembers, { id: fast, user_ids: [member, second], ...since }, token, id)
  await call(url, addGroupMembers, { id: slow, user_ids: [member, third], ...since }, token, id)
  // One whose time in a group is almost over, as the screens mark it.
  await call(url, updateGroupMember, { id: slow, user_id: third, ends_on: day(5) }, token, id)
  await announce(url, token, { id, slow, today })
  return { id, slow, hooks: hooks as [string, string] }
}

/** A link that asks first, a join code, and somebody whose request waits: of the day the demonstration is shown, or it has expired. */
export async function openDoors(
  url: string,
  { token, password, verify, today }: Setting,
  { id, slow }: SeededOrganization,
): Promise<void> {
  await call(url, updateOrganization, { id, join_code_enabled: true, default_member_days: 30 }, token, id)
  const terms = { group_ids: [slow], max_uses: 20, expires_on: addDays(today, 120) }
  const { code } = await call(url, createLink, { id, ...terms }, token, id)
  const email = 'wu@lingbo.example'
  await call(url, register, { account: email, email, name: '吳佩珊', password })
  await verify(email)
  const { access_token } = await call(url, login, { account: email, password })
  await call(url, acceptLink, { code, message: '波段班第三期學員，麻煩老師' }, access_token)
}

/** A new person, invited by the trader and accepting; the person's id. */
async function join(
  url: string,
  { token, password, verify }: Omit<Setting, 'today'>,
  id: string,
  { email, name }: (typeof PEOPLE)[number],
  expires_on: string,
): Promise<string> {
  const made = await call(url, register, { account: email, email, name, password })
  await verify(email)
  await call(url, createInvites, { id, emails: [email], expires_on }, token, id)
  const { access_token } = await call(url, login, { account: email, password })
  const [invite] = await call(url, listMyInvites, {}, access_token)
  await call(url, acceptInvite, { code: invite?.code as string }, access_token)
  return made.id
}
