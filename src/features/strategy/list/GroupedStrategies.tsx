/* The strategies of a member, under the groups they come through, each with the last day it may be seen. */
import { taipeiDay } from '#trading/calendar.ts'
import { Tag } from '#ui/Tag.tsx'
import css from './GroupedStrategies.module.css'
import { type StrategiesProps, StrategyCards } from './StrategyCards.tsx'
import { StrategyTable } from './StrategyTable.tsx'
import { sectionsOf, untilWords } from './sections.ts'

export function GroupedStrategies({ items, table, ...rest }: StrategiesProps & { table: boolean }) {
  const today = taipeiDay(new Date().toISOString())
  const View = table ? StrategyTable : StrategyCards
  return (
    <div className={css.groups}>
      {sectionsOf(items).map(({ id, name, until, items: own }) => {
        const words = until === undefined ? null : untilWords(until, today)
        return (
          <div key={id}>
            <header className={css.head}>
              <h2 className="el" title={name}>
                {name}
              </h2>
              <span className="t13 ink3 num nowrap">{own.length} 個</span>
              <span className="sp" />
              {words &&
                (words.soon ? (
                  <Tag tone="warn" icon="calendar">
                    {words.text}
                  </Tag>
                ) : (
                  <span className="t13 ink3 num nowrap">{words.text}</span>
                ))}
            </header>
            <View items={own} group={name} {...(until === undefined && { today })} {...rest} />
          </div>
        )
      })}
    </div>
  )
}
