// The gallery: rows of signals, strategies, what happened when.

import { number } from '#text/format.ts'
import { EXAMPLE } from '#trading/examples.ts'
import { Button } from '#ui/Button.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { Timeline } from '#ui/Figures.tsx'
import { DayHeader } from '#ui/nouns/DayHeader.tsx'
import { AskLine, FixKey, SignalList, SignalRow } from '#ui/nouns/SignalRow.tsx'
import { StrategyCard } from '#ui/nouns/StrategyCard.tsx'
import { Tag } from '#ui/Tag.tsx'
import { LONG, Part, State } from './Part.tsx'

const FIGURES = [
  { label: '勝率', value: '58.3%' },
  { label: '獲利因子', value: '1.72' },
  { label: '最大回撤', value: '−8.4%' },
]
const RISES = [500, 512, 506, 521, 534, 528, 541, 560, 556, 571, 590]
const LATE = [{ icon: 'clock', text: '延遲 3 分', tone: 'warn' }] as const
const WAITS = [{ icon: 'tray', text: '待送出', tone: 'wait' }] as const
const mxf = { product: '小台 12月', unit: '口' }

export function Signals() {
  return (
    <>
      <Part name="SignalRow" lines about="一筆訊號：窄的時候兩行，寬的時候一行。">
        <State word="進場、加碼、平倉、晚到、手動、作廢、待送、缺價、剛到、60 個字" wide>
          <SignalList label="訊號列示範">
            <SignalRow
              {...mxf}
              seal="多"
              solid
              action="進場"
              quantity="2"
              price={number(EXAMPLE.index)}
              time="10:31:58"
              strategy="台指當沖突破"
              before="0"
              after="+2"
              href="#SignalRow"
            />
            <SignalRow
              {...mxf}
              seal="空"
              solid
              action="加碼"
              quantity="1"
              price={number(EXAMPLE.index_before)}
              time="10:24:00"
              strategy="微台均值回歸"
              before="−1"
              after="−2"
              states={LATE}
              href="#SignalRow"
            />
            <SignalRow
              {...mxf}
              seal="多"
              solid={false}
              action="平倉"
              quantity="2"
              price={number(EXAMPLE.index_exit)}
              time="10:17:33"
              strategy="台指當沖突破"
              before="+2"
              after="0"
              pnl={20926}
              href="#SignalRow"
            />
            <SignalRow
              product="2603 長榮"
              unit="張"
              seal="賣"
              solid={false}
              action="出場"
              quantity="2"
              price={number(EXAMPLE.evergreen, 1)}
              time="10:02:11"
              strategy="航運短線"
              before="2 張"
              after="0"
              pnl={-4690}
              states={[{ text: '手動' }]}
              href="#SignalRow"
            />
            <SignalRow
              {...mxf}
              seal="多"
              solid
              action="進場"
              quantity="1"
              price="46,500"
              time="09:58:40"
              strategy="小台順勢波段"
              voided
              states={[{ icon: 'void', text: '已作廢', tone: 'danger' }]}
              href="#SignalRow"
            />
            <SignalRow
              {...mxf}
              seal="空"
              solid
              action="進場"
              quantity="1"
              price="46,480"
              time="09:51:02"
              strategy="小台順勢波段"
              waiting
              states={WAITS}
              href="#SignalRow"
            />
            <SignalRow
              {...mxf}
              seal="多"
              solid
              action="進場"
              quantity="1"
              price={null}
              time="09:45:00"
              strategy="補價示範"
              before="0"
              after="+1"
              onFix={() => location.assign('#SignalRow')}
            />
            <SignalRow
              {...mxf}
              seal="多"
              solid={false}
              action="平倉"
              quantity="1"
              price={number(EXAMPLE.index_short)}
              time="09:40:00"
              strategy={LONG}
              before="+1"
              after="0"
              pnl={1060}
              masked
              highlight
              href="#SignalRow"
            />
          </SignalList>
        </State>
      </Part>
      <Part name="FixKey" about="沒有價格的訊號列上的鍵；看起來小，手指按得到整列的高度。">
        <State word="一般">
          <FixKey onClick={() => {}} />
        </State>
      </Part>
      <Part name="AskLine" lines about="訊號列的第三行：一句話和它的鍵。">
        <State word="一般" wide>
          <AskLine>
            <span className="sp t13">3 分鐘前輸入，沒有自動送出</span>
            <Button size="s" kind="tint">
              仍要送出
            </Button>
          </AskLine>
        </State>
      </Part>
      <Part name="SignalList" lines about="訊號列的外框；釘在上方的是等著處理的。">
        <State word="釘住、帶問題" wide>
          <SignalList label="待處理示範" pinned>
            <SignalRow
              {...mxf}
              seal="多"
              solid
              action="進場"
              quantity="1"
              price={number(EXAMPLE.index)}
              time="10:20:00"
              strategy="小台順勢波段"
              waiting
              states={WAITS}
              ask={
                <>
                  <span>這筆已等了 3 分鐘，還要送嗎？</span>
                  <Button size="s">放棄</Button>
                  <Button size="s" kind="tint">
                    仍要送出
                  </Button>
                </>
              }
            />
          </SignalList>
        </State>
      </Part>
      <Part name="DayHeader" lines about="一天的開頭：日期、筆數、當日已實現。">
        <State word="漲" wide>
          <DayHeader level={3} title="今天 11/20 週五" count={12} realised={22792} />
        </State>
        <State word="跌、隱私" wide>
          <DayHeader level={3} title="昨天 11/19 週四" count={4} realised={-4690} />
          <DayHeader level={3} title="11/18 週三" count={4} realised={-4690} masked />
        </State>
      </Part>
      <Part name="StrategyCard" lines about="一個策略一眼看完。">
        <State word="有部位">
          <StrategyCard
            name="台指當沖突破"
            meta="大台 近月 · 5 分 · 多空 · 日盤"
            href="#StrategyCard"
            points={RISES}
            pnl={128450}
            rate="+25.69%"
            figures={FIGURES}
            seal="多"
            held="2 口"
            average={number(EXAMPLE.index_before)}
            last="10:31:58 加碼"
            bell={{ on: true, onClick: () => undefined }}
          />
        </State>
        <State word="警告、空手、虧損、通知關">
          <StrategyCard
            name="微台均值回歸"
            meta="微台 近月 · 15 分 · 多空 · 日夜盤"
            href="#StrategyCard"
            points={[500, 490, 470, 480]}
            pnl={-20300}
            rate="−4.06%"
            figures={FIGURES}
            last="昨天 平倉"
            tag={
              <Tag tone="warn" icon="warning">
                部位不一致
              </Tag>
            }
            bell={{ on: false }}
          />
        </State>
        <State word="暫停、隱私、60 個字、沒有訊號">
          <StrategyCard
            name={LONG}
            meta={LONG}
            href="#StrategyCard"
            points={[]}
            pnl={null}
            rate={null}
            figures={FIGURES.map((one) => ({ ...one, value: '—' }))}
            last="還沒有訊號"
            tag={<Tag>已暫停</Tag>}
            paused
            masked
          />
        </State>
      </Part>
      <Part name="Timeline" lines about="一筆訊號走過的路，每一站的時間。">
        <State word="一般" wide>
          <Timeline
            label="時間軸示範"
            steps={[
              { key: 'fired', title: '來源觸發', time: '10:31:58.000' },
              { key: 'received', title: '收到', time: '10:31:58.412', delta: '+0.41 秒' },
              {
                key: 'shown',
                title: '顯示在這支裝置',
                note: LONG,
                time: '10:31:58.731',
                delta: '+0.32 秒',
                kind: 'end',
              },
            ]}
          />
        </State>
      </Part>
      <CodeBlocks />
    </>
  )
}

function CodeBlocks() {
  return (
    <Part name="CodeBlock" lines about="機器的文字，原樣呈現；變數有自己的顏色。">
      <State word="變數、標出錯處" wide>
        <CodeBlock
          label="訊息示範"
          copy="複製訊息"
          code={[
            '{',
            { text: '"action"', kind: 'key' },
            ':"',
            { text: '{{strategy.order.action}}', kind: 'var' },
            '","price":"',
            { text: 'abc', kind: 'mark' },
            '"}',
          ]}
        />
      </State>
      <State word="給人讀：會看的標出是什麼" wide>
        <CodeBlock
          read
          wrap
          label="訊息原文示範"
          code={[
            '{"bot":"突破","symbol":"',
            { text: 'MXF1!', as: '商品' },
            '","cmd":"',
            { text: 'long_entry', as: '動作' },
            '","qty":',
            { text: '2', as: '口數' },
            '}',
          ]}
        />
      </State>
      <State word="折行" wide>
        <CodeBlock
          label="折行示範"
          wrap
          code={`curl -X POST 'https://example.com/hooks/…' -d '${'x'.repeat(120)}'`}
        />
      </State>
    </Part>
  )
}
