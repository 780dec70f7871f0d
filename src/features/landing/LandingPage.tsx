// /: what it does in one sentence, a feed that can be tried, whom it serves, how to install it, how to reach us.
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { auth } from '#state/session.ts'
import { Button } from '#ui/Button.tsx'
import { WAVE } from '#ui/wave.ts'
import { Audiences } from './Audiences.tsx'
import { Contacts } from './Contacts.tsx'
import { Install } from './Install.tsx'
import { LandingBar } from './LandingBar.tsx'
import css from './LandingPage.module.css'
import { Proof } from './Proof.tsx'
import { Sample } from './Sample.tsx'
import { useSample } from './sample.ts'

export function LandingPage() {
  const { go } = useGo()
  const signed_in = useSnapshot(auth).uid !== null
  const sample = useSample()
  return (
    <div className={css.root}>
      <LandingBar signed_in={signed_in} />
      <main>
        <svg className={css.wave} viewBox="0 0 1440 560" width="1440" height="560" aria-hidden="true">
          <path d={WAVE} fill="none" stroke="var(--chart-line)" strokeWidth="3" strokeLinecap="round" />
        </svg>
        <section className={css.hero}>
          <div>
            <h1 tabIndex={-1}>
              策略一觸發，
              <br />
              一秒內到你的手機。
            </h1>
            <p>
              TradingView、XQ
              或你自己送出的訊號，連同部位與損益，即時出現在螢幕上，也送到推播、Telegram、LINE、電子郵件、Discord
              或你的程式。沒有網路時照樣打得開。
            </p>
            <div className={css.heroKeys}>
              {signed_in ? (
                <Button kind="filled" size="l" className={css.key} {...go('/dashboard')}>
                  前往首頁
                </Button>
              ) : (
                <Button kind="filled" size="l" className={css.key} {...go('/login?tab=register')}>
                  建立帳號
                </Button>
              )}
              <Button size="l" className={css.key} onClick={sample.fire}>
                送一筆範例訊號
              </Button>
            </div>
          </div>
          <Sample rows={sample.rows} fresh={sample.fresh} />
        </section>
        <Audiences />
        <Proof />
        <Install />
        <Contacts />
      </main>
      <footer className={css.foot}>
        <span>凌波 LingBo</span>
        <span>自己架設、資料留在自己的主機</span>
      </footer>
    </div>
  )
}
