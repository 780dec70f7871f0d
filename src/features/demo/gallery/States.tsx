// The gallery: nothing there, failed, loading, refused, offline.

import { useState } from 'react'
import { LOADING } from '#text/spec.ts'
import { Banner, ProgressBar, StaleNote } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card, CardRows, Fold, Sides } from '#ui/Card.tsx'
import { Clauses } from '#ui/Clauses.tsx'
import { ConnectionBadge } from '#ui/ConnectionBadge.tsx'
import { DenyNote, EmptyState, FailState } from '#ui/EmptyState.tsx'
import { ContactTree } from '#ui/nouns/ContactTree.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Bone, LoadingScreen, Skeleton, Wait } from '#ui/Skeleton.tsx'
import { Table } from '#ui/Table.tsx'
import { StepMark, Tag, UnreadDot } from '#ui/Tag.tsx'
import { LONG, Part, State } from './Part.tsx'
import css from './States.module.css'

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
          <div className={css.low}>
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
