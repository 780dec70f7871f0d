// Strategy groups: which members read which strategies, each with dates (wire.md §3, ruling C17).
import * as z from 'zod/mini'
import { STRATEGY_KINDS } from '#trading/record.ts'
import { endpoint } from './endpoint.ts'
import { at, day, id, name_text, nothing, page_query, paged, text } from './fields.ts'
import { MEMBER_STATES } from './organization.ts'
import { ROLES } from './permissions.ts'

/** Where a row with dates stands today. */
export const SPAN_STATES = ['upcoming', 'active', 'expiring', 'ended'] as const

const strategy_group = z.object({
  id: id(),
  created_at: at(),
  updated_at: at(),
  name: z.string(),
  description: z.string(),
  member_count: z.number(),
  strategy_count: z.number(),
  expiring_count: z.number(),
})
export type StrategyGroup = z.infer<typeof strategy_group>

const group_member = z.object({
  user_id: id(),
  name: z.string(),
  avatar: z.nullable(z.string()),
  starts_on: day(),
  ends_on: z.nullable(day()),
  state: z.enum(SPAN_STATES),
  member_expires_on: z.nullable(day()),
})
export type GroupMember = z.infer<typeof group_member>

const group_strategy = z.object({
  strategy_id: id(),
  name: z.string(),
  kind: z.enum(STRATEGY_KINDS),
  status: z.string(),
  starts_on: day(),
  ends_on: z.nullable(day()),
  state: z.enum(SPAN_STATES),
})
export type GroupStrategy = z.infer<typeof group_strategy>

const name = name_text(60, '請輸入群組名稱')
const description = text(0, 200)
const people = z.array(id()).check(z.minLength(1, '請選擇成員'), z.maxLength(200, '一次最多 200 位'))
const span = { starts_on: z.optional(day()), ends_on: z.optional(z.nullable(day())) }

export const listGroups = endpoint({
  name: 'group.list',
  method: 'GET',
  path: '/groups',
  who: 'group:view',
  when_offline: 'fail',
  about: '策略群組；成員只看得到自己在的',
  input: z.object({ search: z.optional(text(0, 60)), ...page_query }),
  output: paged(strategy_group),
})

/** A place of a member in a group, or a strategy that the group gives: its own days, and where it stands today. */
const cell = { group_id: id(), starts_on: day(), ends_on: z.nullable(day()), state: z.enum(SPAN_STATES) }

const group_matrix = z.object({
  groups: z.array(z.object({ id: id(), name: z.string() })),
  members: z.array(
    z.object({
      user_id: id(),
      name: z.string(),
      avatar: z.nullable(z.string()),
      role: z.enum(ROLES),
      starts_on: day(),
      expires_on: z.nullable(day()),
      status: z.enum(MEMBER_STATES),
    }),
  ),
  strategies: z.array(
    z.object({ strategy_id: id(), name: z.string(), kind: z.enum(STRATEGY_KINDS), status: z.string() }),
  ),
  places: z.array(z.object({ ...cell, user_id: id() })),
  gifts: z.array(z.object({ ...cell, strategy_id: id() })),
})
export type GroupMatrix = z.infer<typeof group_matrix>

export const getGroupMatrix = endpoint({
  name: 'group.matrix',
  method: 'GET',
  path: '/groups/matrix',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '全部群組、成員、策略與各自的期間；沒有群組的也在',
  input: z.object({}),
  output: group_matrix,
})

export const getGroup = endpoint({
  name: 'group.get',
  method: 'GET',
  path: '/groups/:id',
  who: 'group:view',
  when_offline: 'fail',
  about: '一個策略群組',
  input: z.object({ id: id() }),
  output: strategy_group,
})

export const createGroup = endpoint({
  name: 'group.create',
  method: 'POST',
  path: '/groups',
  who: 'group:create',
  when_offline: 'fail',
  about: '建立策略群組',
  input: z.object({ name, description: z._default(description, '') }),
  output: strategy_group,
})

export const copyGroup = endpoint({
  name: 'group.copy',
  method: 'POST',
  path: '/groups/:id/copy',
  who: 'group:create',
  when_offline: 'fail',
  about: '複製策略群組：說明、成員、策略與各自的期間；已結束的不帶',
  input: z.object({ id: id(), name }),
  output: strategy_group,
})

export const updateGroup = endpoint({
  name: 'group.update',
  method: 'PUT',
  path: '/groups/:id',
  who: 'group:edit',
  when_offline: 'fail',
  about: '更新策略群組',
  input: z.object({ id: id(), name: z.optional(name), description: z.optional(description) }),
  output: strategy_group,
})

export const deleteGroup = endpoint({
  name: 'group.delete',
  method: 'DELETE',
  path: '/groups/:id',
  who: 'group:delete',
  when_offline: 'fail',
  about: '刪除策略群組；經由它的權限立刻結束',
  input: z.object({ id: id() }),
  output: nothing(),
})

export const listGroupMembers = endpoint({
  name: 'group.members',
  method: 'GET',
  path: '/groups/:id/members',
  who: 'group:view',
  when_offline: 'fail',
  about: '群組的成員與期間；成員只看得到自己',
  input: z.object({ id: id(), ...page_query }),
  output: paged(group_member),
})

export const addGroupMembers = endpoint({
  name: 'group.add-members',
  method: 'POST',
  path: '/groups/:id/members',
  who: 'group:edit',
  when_offline: 'fail',
  about: '把成員加進群組；沒有寫起日就從今天開始',
  input: z.object({ id: id(), user_ids: people, ...span }),
  output: z.array(group_member),
})

export const updateGroupMember = endpoint({
  name: 'group.update-member',
  method: 'PUT',
  path: '/groups/:id/members/:user_id',
  who: 'group:edit',
  when_offline: 'fail',
  about: '更新一位成員在群組的期間',
  input: z.object({ id: id(), user_id: id(), ...span }),
  output: group_member,
})

export const updateGroupMembers = endpoint({
  name: 'group.update-members',
  method: 'PUT',
  path: '/groups/:id/members',
  who: 'group:edit',
  when_offline: 'fail',
  about: '一次更新多位成員在群組的期間',
  input: z.object({ id: id(), user_ids: people, ...span }),
  output: z.array(group_member),
})

export const removeGroupMember = endpoint({
  name: 'group.remove-member',
  method: 'DELETE',
  path: '/groups/:id/members/:user_id',
  who: 'group:edit',
  when_offline: 'fail',
  about: '把成員移出群組；經由它的權限立刻結束',
  input: z.object({ id: id(), user_id: id() }),
  output: nothing(),
})

export const listGroupStrategies = endpoint({
  name: 'group.strategies',
  method: 'GET',
  path: '/groups/:id/strategies',
  who: 'group:view',
  when_offline: 'fail',
  about: '群組的策略與期間；成員只看得到今天讀得到的',
  input: z.object({ id: id() }),
  output: z.array(group_strategy),
})

export const setGroupStrategies = endpoint({
  name: 'group.set-strategies',
  method: 'PUT',
  path: '/groups/:id/strategies',
  who: 'group:edit',
  when_offline: 'fail',
  about: '換掉群組的策略；strategy_ids 是簡寫：從今天起、沒有迄日',
  input: z
    .object({
      id: id(),
      strategies: z.optional(
        z.array(z.object({ strategy_id: id(), ...span })).check(z.maxLength(500, '最多 500 個策略')),
      ),
      strategy_ids: z.optional(z.array(id()).check(z.maxLength(500, '最多 500 個策略'))),
    })
    .check(
      z.refine((body) => (body.strategies === undefined) !== (body.strategy_ids === undefined), {
        error: '策略的名單只能用一種寫法',
        path: ['strategies'],
      }),
    ),
  output: z.array(group_strategy),
})
