// Why a record can be believed: the chain, in three sentences.
import { Icon } from '#ui/Icon.tsx'
import css from './Proof.module.css'

export function Proof() {
  return (
    <section className={css.root} id="proof">
      <Icon name="verified" size={24} />
      <div>
        <h2>改過的紀錄，一查就知道</h2>
        <p>
          訊號只能新增，不能修改。每一筆都帶著前一筆的指紋（SHA-256），中間動了一個字，後面全部對不上。記錯了就作廢，原來那筆仍然看得到。
        </p>
      </div>
    </section>
  )
}
