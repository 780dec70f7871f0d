/* The strategies of a member, under the groups they come through, each with the last day it may be seen. */
import { serverNowIso } from '#text/now.ts'
import { taipeiDay } from '#trading/calendar.ts'
import css from './GroupedStrategies.module.css'
import { GroupHead } from './GroupHead.tsx'
import { type StrategiesProps, StrategyCards } from './StrategyCards.tsx'
import { StrategyTable } from './StrategyTable.tsx'
import { sectionsOf } from './sections.ts'

export function GroupedStrategies({ items, table, ...rest }: StrategiesProps & { table: boolean }) {
  const today = taipeiDay(serverNowIso())
  const View = table ? StrategyTable : StrategyCards
  return (
    <div className={css.groups}>
      {sectionsOf(items).map(({ id, name, until, items: own }) => (
        <div key={id}>
          <GroupHead name={name} until={until} count={own.length} today={today} />
          <View items={own} group={name} {...(until === undefined && { today })} {...rest} />
        </div>
      ))}
    </div>
  )
}
