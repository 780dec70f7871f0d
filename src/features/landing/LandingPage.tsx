// /: what it does in one sentence, a feed that can be tried, whom it serves, how to install it, how to reach us.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { NetworkError } from '#data/failure.ts'
import { contactQueries } from '#data/nouns/session.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { ThemeToggle, Top, TopLinks } from '#screen/Top.tsx'
import { auth } from '#state/session.ts'
import { number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { hms } from '#text/time.ts'
import { EXAMPLE } from '#trading/examples.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { ContactTree } from '#ui/nouns/ContactTree.tsx'
import { sealTone } from '#ui/nouns/Delta.tsx'
import { SignalList, SignalRow, type SignalRowProps } from '#ui/nouns/SignalRow.tsx'
import { ConnectionBadge } from '#ui/Tag.tsx'
import { WAVE } from '#ui/wave.ts'
import css from './LandingPage.module.css'

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

// The bar of a visitor: where things stand on this page, the theme, and the two ways in.

const LINKS = [
  { href: '#how', label: '怎麼運作' },
  { href: '#proof', label: '驗證紀錄' },
  { href: '#install', label: '安裝' },
]

export function LandingBar({ signed_in }: { signed_in: boolean }) {
  const { go } = useGo()
  return (
    <Top close logo={{ href: '/', label: '凌波' }}>
      <TopLinks desk label="這一頁" links={LINKS} />
      <span className="sp" />
      <ThemeToggle />
      {signed_in ? (
        <Button kind="filled" {...go('/dashboard')}>
          前往首頁
        </Button>
      ) : (
        <>
          <Button kind="ghost" {...go('/login')}>
            登入
          </Button>
          <Button kind="filled" className="desk" {...go('/login?tab=register')}>
            註冊
          </Button>
        </>
      )}
    </Top>
  )
}

// The feed as it will look, with sample data and the product's own rows.

/** `fresh` the key of the row that has just arrived, null before the first press. */
export function Sample({ rows, fresh }: { rows: readonly SampleRow[]; fresh: string | null }) {
  return (
    <section className={css.Sample} aria-label="範例訊號">
      <header>
        <h2>訊號</h2>
        <ConnectionBadge state="online" />
        <span className="sp" />
        <span className="t12 ink3">範例資料</span>
      </header>
      <i className={`${css.SampleHit} ${sealTone(rows[0]?.seal ?? '')}`} aria-hidden="true" />
      <SignalList label="範例訊號" framed className={css.SampleRows}>
        {rows.map(({ key, ...row }) => (
          <SignalRow key={key} {...row} highlight={key === (fresh ?? rows[0]?.key)} />
        ))}
      </SignalList>
    </section>
  )
}

// Why a record can be believed: the chain, in three sentences.

export function Proof() {
  return (
    <section className={css.Proof} id="proof">
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

// The three people it is made for.

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
    <section className={css.Audiences} id="how" aria-label="怎麼運作">
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

// How whoever runs this server is reached; nothing where nothing is configured.

export function Contacts() {
  const { data, error, isFetching, refetch } = useQuery(contactQueries.platform())
  // most installations have none: who is offline hears nothing of what may not be there
  if (!data && error instanceof NetworkError && error.kind === 'offline') return null
  if (!data && error)
    return (
      <section className={`${css.Contacts} ${css.ContactsMissing}`}>
        <p className="t13 ink3">讀不到聯絡方式。{failureSentence(error)}</p>
        <Button size="s" busy={isFetching} onClick={() => void refetch()}>
          重試
        </Button>
      </section>
    )
  if (!data || data.length === 0) return null
  return (
    <section className={css.Contacts} id="contact">
      <h2>聯絡我們</h2>
      <ContactTree nodes={data} columns />
    </section>
  )
}

// How it gets onto a home screen, per kind of device.

const DEVICES = [
  { icon: 'phone', title: 'iPhone', text: 'Safari 的分享鈕，選「加入主畫面」' },
  { icon: 'phone', title: 'Android', text: 'Chrome 選單，選「安裝應用程式」' },
  { icon: 'desktop', title: '電腦', text: '網址列右側的安裝圖示' },
] as const

export function Install() {
  return (
    <section className={`${css.Install} card`} id="install">
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

// The sample signals: a small script that plays one entry per press, round and round.

export type SampleRow = SignalRowProps & { key: string }

const FIRST: readonly SampleRow[] = [
  {
    key: 's4',
    seal: '多',
    solid: true,
    action: '加碼',
    product: '大台 12月',
    quantity: '1',
    unit: '口',
    price: number(EXAMPLE.index),
    time: '10:31:58',
    strategy: '台指當沖突破',
    before: '+1',
    after: '+2',
  },
  {
    key: 's3',
    seal: '買',
    solid: true,
    action: '進場',
    product: '2330 台積電',
    quantity: '1',
    unit: '張',
    price: number(EXAMPLE.tsmc),
    time: '10:30:00',
    strategy: '外資連買選股',
    before: '0',
    after: '1 張',
  },
  {
    key: 's2',
    seal: '空',
    solid: false,
    action: '平倉',
    product: '微台 12月',
    quantity: '5',
    unit: '口',
    price: number(EXAMPLE.index_before),
    time: '10:24:00',
    strategy: '微台均值回歸',
    before: '−5',
    after: '0',
    pnl: 1060,
  },
  {
    key: 's1',
    seal: '多',
    solid: true,
    action: '進場',
    product: '電子期 12月',
    quantity: '1',
    unit: '口',
    price: number(EXAMPLE.electronics, 2),
    time: '10:17:33',
    strategy: '電子期隔日沖',
    before: '0',
    after: '+1',
    states: [{ icon: 'clock', text: '延遲 3 分', tone: 'warn' }],
  },
]
type Step = Omit<SampleRow, 'key' | 'time'>
const SCRIPT: readonly [Step, ...Step[]] = [
  {
    seal: '多',
    solid: false,
    action: '平倉',
    product: '大台 12月',
    quantity: '2',
    unit: '口',
    price: number(EXAMPLE.index_exit),
    strategy: '台指當沖突破',
    before: '+2',
    after: '0',
    pnl: 20_926,
  },
  {
    seal: '空',
    solid: true,
    action: '進場',
    product: '小台 12月',
    quantity: '2',
    unit: '口',
    price: number(EXAMPLE.index_short),
    strategy: '小台順勢波段',
    before: '0',
    after: '−2',
  },
  {
    seal: '賣',
    solid: false,
    action: '出場',
    product: '2603 長榮',
    quantity: '2',
    unit: '張',
    price: number(EXAMPLE.evergreen, 1),
    strategy: '航運短線',
    before: '2 張',
    after: '0',
    pnl: 5496,
  },
  {
    seal: '空',
    solid: false,
    action: '平倉',
    product: '小台 12月',
    quantity: '2',
    unit: '口',
    price: '46,655',
    strategy: '小台順勢波段',
    before: '−2',
    after: '0',
    pnl: -4690,
  },
]

/** Four rows; `fire` lets the next one arrive on top, now, and the oldest leave, so that nothing below moves. */
export function useSample() {
  const [state, setState] = useState<{ rows: readonly SampleRow[]; count: number }>({ rows: FIRST, count: 0 })
  const fire = () =>
    setState(({ rows, count }) => {
      const step = SCRIPT[count % SCRIPT.length] ?? SCRIPT[0]
      return {
        rows: [{ ...step, key: `n${count}`, time: hms(serverNow()) }, ...rows.slice(0, 3)],
        count: count + 1,
      }
    })
  return { rows: state.rows, fresh: state.count === 0 ? null : `n${state.count - 1}`, fire }
}
