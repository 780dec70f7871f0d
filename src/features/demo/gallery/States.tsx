// The gallery: nothing there, failed, loading, refused, offline.

import { useState } from 'react'
import { LOADING } from '#text/spec.ts'
import { EXAMPLE } from '#trading/examples.ts'
import { Button } from '#ui/Button.tsx'
import { Card, CardRows, Fold, Sides, Table } from '#ui/Card.tsx'
import { Clauses } from '#ui/Clauses.tsx'
import { Banner, DenyNote, EmptyState, FailState, ProgressBar, StaleNote } from '#ui/EmptyState.tsx'
import { Big, Figures, KeyValues, Masked, MiniCurve, Money, StepLine } from '#ui/Figures.tsx'
import { Icon, Mark } from '#ui/Icon.tsx'
import { ContactTree } from '#ui/nouns/ContactTree.tsx'
import { Delta, Price, Seal, StateWord } from '#ui/nouns/Delta.tsx'
import { StateWords } from '#ui/nouns/SignalRow.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { Bone, LoadingScreen, Skeleton, Wait } from '#ui/Skeleton.tsx'
import { Avatar, ConnectionBadge, Kbd, StepMark, Tag, type TagTone, UnreadDot } from '#ui/Tag.tsx'
import css from '../ComponentDemoPage.module.css'
import { LONG, Part, State } from './Part.tsx'

const BANNERS = ['neutral', 'info', 'good', 'warn', 'danger'] as const
const WAITING = ['dashboard', 'list', 'form', 'detail', 'default'] as const

export function States() {
  const [shown, setShown] = useState(true)
  return (
    <>
      <Part name="EmptyState" lines about="還沒有東西：一道波浪、一句話、一個動作。">
        <State word="一般" wide>
          <EmptyState card title="還沒有策略" action={<Button kind="filled">建立策略</Button>}>
            建立第一個，接上 TradingView 只要兩分鐘。
          </EmptyState>
        </State>
      </Part>
      <Part name="Clauses" lines about="置中的句子在標點後換行，詞不會被拆開。">
        <State word="一般" wide>
          <p>
            <Clauses>這支裝置還沒有存下訊號，伺服器也連不上。連線後再試一次。</Clauses>
          </p>
        </State>
      </Part>
      <Part name="StepMark" about="一步前面的記號：號碼，做完是勾。">
        <State word="還沒">
          <StepMark number={3} state="open" />
        </State>
        <State word="下一步">
          <StepMark number={2} state="next" />
        </State>
        <State word="完成">
          <StepMark number={1} state="done" />
        </State>
      </Part>
      <Part name="FailState" lines about="讀不到：什麼失敗了、什麼沒事、重試。">
        <State word="可重試" wide>
          <FailState card title="讀不到訊號" onRetry={() => undefined}>
            伺服器沒有回應。這支裝置上的紀錄還在。
          </FailState>
        </State>
        <State word="重試中" wide>
          <FailState card title="讀不到策略" busy onRetry={() => undefined} />
        </State>
      </Part>
      <Part name="DenyNote" lines about="為什麼不行？缺哪個權限、現在是誰、找誰。">
        <State word="一般" wide>
          <DenyNote>編輯策略需要「編輯策略」的權限，你在「海風投顧」是組織成員。請找管理者陳經理。</DenyNote>
        </State>
        <State word="有動作、60 個字" wide>
          <DenyNote title={LONG} action={<Button size="s">切換身份</Button>}>
            {LONG}
          </DenyNote>
        </State>
      </Part>
      <Part name="Skeleton" lines about="等待時的灰塊，形狀和換上的內容一樣。">
        {WAITING.map((type) => (
          <State key={type} word={type} wide>
            <Skeleton type={type} label={`載入示範 ${type}`} title="" />
          </State>
        ))}
      </Part>
      <Part name="Bone" about="還在路上的東西的灰塊。">
        <State word="一般">
          <Bone w={120} h={14} />
        </State>
      </Part>
      <Part name="ProgressBar" about="一件工作做到哪裡；還不知道總數時來回跑。">
        <State word="做到六成" wide>
          <ProgressBar label="示範進度" share={0.6} />
        </State>
        <State word="不知道總數" wide>
          <ProgressBar label="示範等待" share={null} />
        </State>
      </Part>
      <Part name="Sides" lines about="寬螢幕左右兩欄，1023 px 以下上下排列。">
        <State word="右邊 240 px" wide>
          <Sides columns="minmax(0, 1fr) 240px">
            <EmptyState card title="左邊">
              主要的內容。
            </EmptyState>
            <EmptyState card title="右邊">
              旁邊的內容。
            </EmptyState>
          </Sides>
        </State>
      </Part>
      <Part name="Wait" about="等了四秒以後說的話；位置一開始就留著。">
        <State word="一般">
          <Wait />
        </State>
      </Part>
      <Part name="LoadingScreen" lines about="整頁等待。">
        <State word="一般" wide>
          <div className={css.StatesLow}>
            <LoadingScreen {...LOADING.page} />
          </div>
        </State>
      </Part>
      <Part name="StaleNote" about="畫面上的數字有多舊。">
        <State word="離線、沒有存過、只說時間">
          <StaleNote time="10:24" />
          <StaleNote time={null} />
          <StaleNote time="10:24" offline={false} />
        </State>
      </Part>
      <Part name="ConnectionBadge" about="線上、離線、重新連線中，和等著送出的筆數。">
        <State word="五種">
          <ConnectionBadge state="online" />
          <ConnectionBadge state="offline" updated="10:24" />
          <ConnectionBadge state="reconnecting" />
          <ConnectionBadge state="offline" waiting={2} href="#ConnectionBadge" />
          <ConnectionBadge state="online" waiting={1} asks href="#ConnectionBadge" />
        </State>
      </Part>
      <Part name="Banner" lines about="內容上方的一條話，原因消失才離開。">
        {BANNERS.map((tone) => (
          <State key={tone} word={tone} wide>
            <Banner tone={tone} icon={tone === 'warn' || tone === 'danger' ? 'warning' : 'info'}>
              新版本已就緒，存好內容後再更新。
            </Banner>
          </State>
        ))}
        <State word="可關閉、有動作、60 個字" wide>
          {shown ? (
            <Banner icon="info" onClose={() => setShown(false)} action={<Button size="s">看說明</Button>}>
              {LONG}
            </Banner>
          ) : (
            <Button size="s" onClick={() => setShown(true)}>
              再顯示
            </Button>
          )}
        </State>
        <State word="貼齊頂端" wide>
          <Banner bar icon="people">
            組織管理者 · 海風投顧
          </Banner>
        </State>
      </Part>
      <Part name="Card" lines about="有細邊的面；標題列 52 px。">
        <State word="標題、數量、動作" wide>
          <Card title="卡片示範" count={12} level={3} pad action={<Button size="s">全部</Button>}>
            內容
          </Card>
        </State>
        <State word="60 個字" wide>
          <Card title={LONG} level={3} pad>
            {LONG}
          </Card>
        </State>
      </Part>
      <Part name="CardRows" lines about="卡片裡的一行一行，中間是細線。">
        <State word="一般" wide>
          <CardRows>
            <li>第一行</li>
            <li>第二行</li>
          </CardRows>
        </State>
        <State word="每行一個連結" wide>
          <CardRows links>
            <li>
              <a href="#CardRows">
                <span className="sp">
                  <b className="el">台指當沖突破</b>
                  <small className="el">小台 近月</small>
                </span>
              </a>
            </li>
          </CardRows>
        </State>
      </Part>
      <Part name="ContactTree" lines about="怎麼聯絡；沒有內容的只當標題，其他的按了就打開。">
        <State word="分層" wide>
          <ContactTree
            nodes={[
              {
                ...{ label: '學員服務', type: 'text', value: null },
                children: [
                  { label: '官方帳號', type: 'line', value: '@example' },
                  { label: '時間', type: 'text', value: '週一到週五 08:30–17:00' },
                ],
              },
              { label: '信箱', type: 'email', value: 'service@example.com' },
            ]}
          />
        </State>
        <State word="隱私模式" wide>
          <ContactTree
            nodes={[{ label: '電話', type: 'phone', value: '02-2345-6789' }]}
            cover={(text) => '*'.repeat(text.length)}
          />
        </State>
      </Part>
      <Part name="UnreadDot" lines about="還沒讀的那一行，前緣的點；標題同時變粗。">
        <State word="未讀" wide>
          <CardRows links>
            <li>
              <UnreadDot />
              <a href="#UnreadDot">
                <b className="w6">下週一休市</b>
              </a>
            </li>
          </CardRows>
        </State>
      </Part>
      <Part name="Table" lines about="卡片裡的表格；數字靠右，退場的列變淡。">
        <State word="一般" wide>
          <Table className="num">
            <thead>
              <tr>
                <th>交易日</th>
                <th className="n">損益</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>11/20</td>
                <td className="n">1,200</td>
              </tr>
              <tr data-dim>
                <td>11/19</td>
                <td className="n">300</td>
              </tr>
            </tbody>
          </Table>
        </State>
      </Part>
      <Part name="Fold" lines about="可以打開的一列；瀏覽器的頁內搜尋找得到。">
        <State word="收合" wide>
          <Fold title="原始訊息" note="412 位元組" icon="code">
            內容
          </Fold>
        </State>
        <State word="打開" wide>
          <Fold title="進階設定" open>
            {LONG}
          </Fold>
        </State>
      </Part>
      <Part name="PageHead" lines about="頁首：回上一層、標題、旁邊的東西。">
        <State word="全部" wide>
          <PageHead
            title="台指當沖突破"
            back={{ href: '#PageHead', label: '策略列表' }}
            tags={<Tag>已暫停</Tag>}
            meta="大台 近月 · 5 分 · 多空 · 日盤"
          >
            <Button>編輯</Button>
          </PageHead>
        </State>
      </Part>
    </>
  )
}

// The gallery: figures, prices, curves and the words beside them.

const RISES = [500, 512, 506, 521, 534, 528, 541, 560, 556, 571, 590]
const FALLS = [500, 492, 497, 481, 470, 476, 462, 455]
const TONES: Record<TagTone, string> = {
  neutral: '一般',
  good: '已驗證',
  warn: '待補價',
  danger: '已中斷',
  info: '等你決定',
  line: '群組',
}

export function Numbers() {
  return (
    <>
      <Part name="Delta" about="有正負的數字：箭頭、正負號、顏色一起出現。">
        <State word="漲、跌、平、沒有">
          <Delta value={20926} unit="元" />
          <Delta value={-4690} unit="元" />
          <Delta value={0} unit="元" />
          <Delta value={null} />
        </State>
        <State word="大字">
          <Delta value={128450} unit="元" big />
        </State>
        <State word="隱私模式">
          <Delta value={20926} masked />
        </State>
      </Part>
      <Part name="Big" about="一個畫面唯一的大數字，沒有漲跌的。">
        <State word="一般">
          <Big className="num">23,210</Big>
        </State>
      </Part>
      <Part name="Money" about="沒有漲跌意思的金額。">
        <State word="一般、沒有、隱私">
          <Money value={500000} />
          <Money value={null} />
          <Money value={500000} masked />
        </State>
      </Part>
      <Part name="Price" about="依檔位決定小數的價格。">
        <State word="期貨、電子期、股票、沒有">
          <Price value={EXAMPLE.index} tick={1} />
          <Price value={2648.5} tick={0.05} at />
          <Price value={198.5} tick={0.5} unit="元" />
          <Price value={null} />
        </State>
      </Part>
      <Part name="Masked" about="隱私模式的金額；報讀軟體唸「已隱藏」。">
        <State word="一般">
          <Masked />
        </State>
      </Part>
      <Part name="Seal" about="印：實心是開倉或加碼，空心是減碼或平倉。">
        {['多', '空', '買', '賣', '平'].map((glyph) => (
          <State key={glyph} word={glyph}>
            <Seal glyph={glyph} />
            <Seal glyph={glyph} hollow />
            <Seal glyph={glyph} voided />
          </State>
        ))}
      </Part>
      <Part name="StateWord" about="訊號列上安靜的狀態詞。">
        <State word="五種語氣">
          <StateWord text="手動" />
          <StateWord text="補價" tone="plain" icon="pencil" />
          <StateWord text="延遲 3 分" tone="warn" icon="clock" />
          <StateWord text="已作廢" tone="danger" icon="void" />
          <StateWord text="待送出" tone="wait" icon="tray" />
        </State>
      </Part>
      <Part name="StateWords" about="一列的狀態詞，放不下的整個不顯示。">
        <State word="放得下">
          <StateWords states={WORDS} />
        </State>
        <State word="放不下第二個">
          <span style={{ display: 'flex', width: 120 }}>
            <StateWords states={WORDS} />
          </span>
        </State>
      </Part>
      <Part name="Kbd" about="鍵盤上的一個鍵，用在快速鍵的說明裡。">
        <State word="一個與多個">
          <Kbd>/</Kbd>
          <Kbd>Esc</Kbd>
        </State>
      </Part>
      <Part name="Tag" about="小標籤，從不用來表示賺賠。">
        {(Object.keys(TONES) as TagTone[]).map((tone) => (
          <State key={tone} word={tone}>
            <Tag tone={tone} {...(tone === 'warn' || tone === 'danger' ? { icon: 'warning' } : {})}>
              {TONES[tone]}
            </Tag>
          </State>
        ))}
        <State word="60 個字" wide>
          <Tag>{LONG}</Tag>
        </State>
      </Part>
      <Part name="MiniCurve" lines about="卡片上的權益曲線：虛線是本金，只有終點有顏色。">
        <State word="漲">
          <MiniCurve points={RISES} label="漲的曲線" />
        </State>
        <State word="跌">
          <MiniCurve points={FALLS} label="跌的曲線" />
        </State>
        <State word="暫停">
          <MiniCurve points={RISES} muted label="暫停的曲線" />
        </State>
        <State word="沒有資料">
          <MiniCurve points={[]} label="空的曲線" />
        </State>
      </Part>
      <Part name="QrCode" about="用手機掃的碼；兩種主題都是白底。">
        <State word="綁定">
          <QrCode text="https://t.me/lingbo_bot?start=Abcdefghijklmnopqrstuv" label="掃描開啟 Telegram" />
        </State>
      </Part>
      <Part name="StepLine" lines about="今天的已實現損益，一筆一階。">
        <State word="一般">
          <StepLine points={[1060, 21986, 27482, 22792]} />
        </State>
      </Part>
      <Part name="Figures" lines about="大數字下面的一排小數字。">
        <State word="一般" wide>
          <Figures
            figures={[
              { label: '勝率', value: '58.3%' },
              { label: '獲利因子', value: '1.72' },
              { label: '淨損益', value: <Delta value={20926} />, unit: '元' },
            ]}
          />
        </State>
      </Part>
      <Part name="KeyValues" lines about="一行一個名稱和數值，可以有合計。">
        <State word="一般" wide>
          <KeyValues
            rows={[
              { label: '毛利', value: '22,000' },
              { label: '手續費與稅', value: '−1,074' },
              { label: '淨損益', value: '20,926', total: true },
            ]}
          />
        </State>
      </Part>
      <Part name="Avatar" about="大頭照，或名字的第一個字。">
        <State word="字、暗、大">
          <Avatar name="林柏翰" />
          <Avatar name="lin" dim />
          <Avatar name="凌" size={48} />
        </State>
        <State word="圖片">
          <Avatar name="凌波" src="/icons/icon-192.png" size={48} />
        </State>
      </Part>
      <Part name="Icon" about="圖示隨文字的顏色；全部的圖示在「圖示」頁。">
        <State word="大小">
          <Icon name="strategy" size={16} />
          <Icon name="strategy" />
          <Icon name="strategy" size={28} label="策略" />
        </State>
      </Part>
      <Part name="Mark" about="凌波的標誌：一道波浪，末端是訊號。">
        <State word="彩色、單色">
          <Mark />
          <Mark mono size={40} label="凌波" />
        </State>
      </Part>
    </>
  )
}

const WORDS = [
  { text: '延遲 3 分', tone: 'warn', icon: 'clock' },
  { text: '非交易時段', icon: 'clock' },
] as const
