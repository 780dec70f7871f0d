/* Grey rows of the height that notifications and deliveries have. */
import { Bone } from '#ui/Bone.tsx'
import css from './Waiting.module.css'

const WIDTHS = [168, 196, 148, 208, 176, 156]

export function Waiting({ label = '載入中' }: { label?: string }) {
  return (
    <div className="card flush" role="status" aria-label={label}>
      {WIDTHS.map((width) => (
        <div className={css.root} key={width}>
          <Bone w={width} h={14} />
          <Bone w={width - 40} h={10} />
        </div>
      ))}
    </div>
  )
}
