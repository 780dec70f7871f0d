/* Grey rows of the height that notifications and deliveries have. */
import css from './Waiting.module.css'

const WIDTHS = [168, 196, 148, 208, 176, 156]

export function Waiting({ label = '載入中' }: { label?: string }) {
  return (
    <div className="card flush" role="status" aria-label={label}>
      {WIDTHS.map((width) => (
        <div className={css.root} key={width}>
          <i className="sk" style={{ width, height: 14 }} />
          <i className="sk" style={{ width: width - 40, height: 10 }} />
        </div>
      ))}
    </div>
  )
}
