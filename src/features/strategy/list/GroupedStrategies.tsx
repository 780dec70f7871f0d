/* The strategies of a member, under the groups they come through, each with the last day it may be seen. */
import { serverNowIso } from '#text/now.ts'
import { taipeiDay } from '#trading/calendar.ts'
import css from '../StrategyListPage.module.css'
import { sectionsOf } from './arrange.ts'
import { type StrategiesProps, StrategyCards } from './StrategyCards.tsx'
import { GroupHead } from './StrategyMenu.tsx'
import { StrategyTable } from './StrategyTable.tsx'

export function GroupedStrategies({ items, table, ...rest }: StrategiesProps & { table: boolean }) {
  const today = taipeiDay(serverNowIso())
  const View = table ? StrategyTable : StrategyCards
  return (
    <div className={css.GroupedStrategiesGroups}>
      {sectionsOf(items).map(({ id, name, until, items: own }) => (
        <div key={id}>
          <GroupHead name={name} until={until} count={own.length} today={today} />
          <View items={own} group={name} {...(until === undefined && { today })} {...rest} />
        </div>
      ))}
    </div>
  )
}
