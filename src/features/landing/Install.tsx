// How it gets onto a home screen, per kind of device.
import { Icon } from '#ui/Icon.tsx'
import css from './Install.module.css'

const DEVICES = [
  { icon: 'phone', title: 'iPhone', text: 'Safari 的分享鈕，選「加入主畫面」' },
  { icon: 'phone', title: 'Android', text: 'Chrome 選單，選「安裝應用程式」' },
  { icon: 'desktop', title: '電腦', text: '網址列右側的安裝圖示' },
] as const

export function Install() {
  return (
    <section className={`${css.root} card`} id="install">
      <h2>裝起來只要十秒</h2>
      {DEVICES.map(({ icon, title, text }) => (
        <div key={title}>
          <Icon name={icon} size={22} />
          <p>
            <b>{title}</b>
            <span>{text}</span>
          </p>
        </div>
      ))}
    </section>
  )
}
