// The three people it is made for.
import { Icon } from '#ui/Icon.tsx'
import css from './Audiences.module.css'

const PEOPLE = [
  { icon: 'person', title: '交易人', text: '打開手機就是最新的部位。捷運上、地下室、換手機，紀錄都在。' },
  {
    icon: 'strategy',
    title: '策略作者',
    text: '建立策略，貼一段訊息到 TradingView 或 XQ，兩分鐘看到第一筆。',
  },
  {
    icon: 'people',
    title: '訊號組織',
    text: '一份紀錄，大家看到的都一樣：同一筆訊號、同一個時間、同一個價格。',
  },
] as const

export function Audiences() {
  return (
    <section className={css.root} id="how" aria-label="怎麼運作">
      {PEOPLE.map(({ icon, title, text }) => (
        <div key={title}>
          <Icon name={icon} size={24} />
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
      ))}
    </section>
  )
}
