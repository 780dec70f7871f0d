/* Pushes inside their channel: this device, and all of them. */
import { PushDevices } from '#screen/PushDevices.tsx'
import { PushHere } from '#screen/PushHere.tsx'
import css from './PushParts.module.css'

export function PushParts() {
  return (
    <>
      <PushHere />
      <section aria-label="收推播的裝置" className={css.root}>
        <PushDevices empty="其他裝置也都還沒有打開。" />
      </section>
    </>
  )
}
