/* Grey rows of the height that people and strategies have here. */
import { Bone } from '#ui/Bone.tsx'
import organizationPageCss from '../OrganizationPage.module.css'
import css from './Rows.module.css'

/** `card` draws the surface around them. */
export function Rows({ card = true }: { card?: boolean }) {
  return (
    <div className={card ? 'card flush' : undefined} role="status" aria-label="載入中">
      {[168, 196, 148].map((width) => (
        <div className={organizationPageCss.row} key={width}>
          <Bone className={css.round} />
          <Bone w={width} h={14} />
        </div>
      ))}
    </div>
  )
}
