// The gallery: figures, prices, curves and the words beside them.
import { EXAMPLE } from '#trading/examples.ts'
import { Big, Figures, KeyValues, Masked, Money } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Mark } from '#ui/Mark.tsx'
import { MiniCurve, StepLine } from '#ui/MiniCurve.tsx'
import { Delta, Price, Seal, StateWord } from '#ui/nouns/Delta.tsx'
import { StateWords } from '#ui/nouns/SignalRow.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { Avatar, Kbd, Tag, type TagTone } from '#ui/Tag.tsx'
import { LONG, Part, State } from './Part.tsx'

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
