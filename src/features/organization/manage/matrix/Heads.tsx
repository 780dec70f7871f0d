/* Who or what a line is about: the first cell of a row, the head of a card. */
import type { ReactNode } from 'react'
import { ROLE_NAMES } from '#contract/permissions.ts'
import { number } from '#text/format.ts'
import { STATUS_TEXT } from '#text/strategy.ts'
import { ymd } from '#text/time.ts'
import { KINDS } from '#trading/kinds.ts'
import { Icon } from '#ui/Icon.tsx'
import { Person } from '../../parts/Person.tsx'
import { TwoLines } from '../../parts/TwoLines.tsx'
import css from './Heads.module.css'
import type { MatrixLine, MemberLine, StrategyLine } from './lines.ts'

/** Groups in which it is or will be. */
const standing = ({ cells }: MatrixLine<unknown>) =>
  [...cells.values()].filter(({ state }) => state !== 'ended')

/** Who is in no group, or what no group gives: this table is opened to find it. */
function Unseen({ line, none }: { line: MatrixLine<unknown>; none: string }) {
  return (
    <span className={css.unseen}>
      <Icon name="eye-off" size={14} />
      <span className="el">{line.cells.size === 0 ? none : '在群組的期間都已到期'}</span>
    </span>
  )
}

/** An admin needs no group. */
function memberNote(line: MemberLine): ReactNode {
  const { role, status, starts_on, expires_on } = line.of
  if (status === 'expired') return '成員資格已到期'
  if (status === 'upcoming') return `成員資格 ${ymd(starts_on)} 起`
  if (role === 'admin') return `${ROLE_NAMES.admin}，看得到全部策略`
  const groups = standing(line).length
  if (groups === 0) return <Unseen line={line} none="沒有群組，看不到策略" />
  return expires_on === null ? `${number(groups)} 個群組` : `成員資格到 ${ymd(expires_on)}`
}

export function MemberHead({ line, size }: { line: MemberLine; size: number }) {
  const { name, avatar, status } = line.of
  return <Person name={name} avatar={avatar} size={size} note={memberNote(line)} dim={status === 'expired'} />
}

export function StrategyHead({ line }: { line: StrategyLine }) {
  const { name, kind, status } = line.of
  const state = STATUS_TEXT[status as keyof typeof STATUS_TEXT] ?? status
  return (
    <TwoLines>
      <b className="el" title={name}>
        {name}
      </b>
      <small className="el">
        {standing(line).length === 0 ? (
          <Unseen line={line} none="沒有群組，成員看不到" />
        ) : (
          `${KINDS[kind].name} · ${state}`
        )}
      </small>
    </TwoLines>
  )
}
