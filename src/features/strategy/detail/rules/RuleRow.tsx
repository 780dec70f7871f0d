/* One rule: its place, what it asks and does, whether it is on, and what can be done with it. */
import type { LaidSetting } from '#data/nouns/notification-setting.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './RuleRow.module.css'
import { boundsOf, conditionsOf, resultOf } from './words.ts'

/** What may be done; null where it cannot be. */
export interface RuleActs {
  onSwitch: (enabled: boolean) => void
  onChange: () => void
  onUp: (() => void) | null
  onDown: (() => void) | null
  onRemove: () => void
}

/** `acts` null: only to be read. `menu` is the id of its menu. */
export type RuleRowProps = { rule: LaidSetting; unit: string; menu: string; acts: RuleActs | null }

export function RuleRow({ rule, unit, menu, acts }: RuleRowProps) {
  const { name, enabled, order, waits } = rule
  const { name: result, tone, icon } = resultOf(rule)
  const bounds = boundsOf(rule, unit)
  return (
    <li className={css.root} data-off={!enabled || undefined}>
      <span className={`${css.order} num`}>{order}</span>
      <div className={css.words}>
        <div className={css.top}>
          <b className="el">{name}</b>
          <Tag tone={enabled ? tone : 'neutral'} icon={icon}>
            {result}
          </Tag>
          {waits !== null && (
            <Tag tone="line" icon="clock">
              待送出
            </Tag>
          )}
        </div>
        <p className="t14 ink2">{conditionsOf(rule)}</p>
        {bounds !== '' && <p className="t13 ink3">{bounds}</p>}
      </div>
      {acts ? (
        <div className={css.keys}>
          <Switch
            hideLabel
            label={`${name}：${enabled ? '使用中' : '停用中'}`}
            checked={enabled}
            disabled={waits === 'made'}
            onChange={acts.onSwitch}
          />
          <IconButton icon="more" label={`${name}：更多`} opensId={menu} disabled={waits === 'made'} />
          <Menu
            id={menu}
            label={`${name}：更多`}
            items={[
              { label: '修改', icon: 'edit', onPick: acts.onChange },
              ...(acts.onUp ? [{ label: '上移', icon: 'arrow-up' as const, onPick: acts.onUp }] : []),
              ...(acts.onDown ? [{ label: '下移', icon: 'arrow-down' as const, onPick: acts.onDown }] : []),
              { label: '刪除', icon: 'trash', danger: true, apart: true, onPick: acts.onRemove },
            ]}
          />
        </div>
      ) : (
        !enabled && <span className="t13 ink3">停用中</span>
      )}
    </li>
  )
}
