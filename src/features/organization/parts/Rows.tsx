/* Grey rows of the height that people and strategies have here. */

import { Bone, Wait } from '#ui/Skeleton.tsx'
import { ListRow } from './ListRow.tsx'
import css from './Rows.module.css'

const WIDTHS = [168, 196, 148]

/** `card` draws the surface around them; `count` how many, three at most. */
export function Rows({ card = true, count = WIDTHS.length }: { card?: boolean; count?: number }) {
  return (
    <div role="status" aria-label="載入中">
      <div className={card ? 'card flush' : undefined}>
        {WIDTHS.slice(0, count).map((width) => (
          <ListRow as="div" key={width}>
            <Bone className={css.round} />
            <Bone w={width} h={14} />
          </ListRow>
        ))}
      </div>
      {card && <Wait afloat />}
    </div>
  )
}
