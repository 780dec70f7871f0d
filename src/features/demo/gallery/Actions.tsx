// The gallery: what can be pressed.

import { useState } from 'react'
import { Button, type ButtonKind } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { ImageButton } from '#ui/FileButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { NewPill } from '#ui/nouns/DayHeader.tsx'
import { Pager } from '#ui/Table.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import css from './Actions.module.css'
import { LONG, Part, State } from './Part.tsx'

const KINDS: Record<ButtonKind, string> = {
  filled: '主要',
  tint: '次要',
  soft: '柔和',
  ghost: '純文字',
  outline: '一般',
  danger: '刪除',
}
const TABS = [
  { value: 'overview', label: '總覽', href: '#Tabs' },
  { value: 'signals', label: '訊號', href: '#Tabs', count: 128 },
  { value: 'settings', label: '設定', href: '#Tabs' },
] as const
type TabValue = (typeof TABS)[number]['value']

export function Actions() {
  const [page, setPage] = useState(2)
  const [tab, setTab] = useState<TabValue>('overview')
  const [on, setOn] = useState(true)
  const [picture, setPicture] = useState('')
  const [fresh, setFresh] = useState(3)
  const tabs = { tabs: TABS, value: tab, onOpen: ({ value }: { value: TabValue }) => setTab(value) }
  return (
    <>
      <Part name="Button" about="按鈕，以及長得像按鈕的連結。一個畫面只有一個主要按鈕。">
        {(Object.keys(KINDS) as ButtonKind[]).map((kind) => (
          <State key={kind} word={kind}>
            <Button kind={kind} {...(kind === 'danger' ? { icon: 'trash' } : {})}>
              {KINDS[kind]}
            </Button>
            <Button kind={kind} disabled>
              停用
            </Button>
            <Button kind={kind} busy>
              處理中
            </Button>
          </State>
        ))}
        <State word="大小 s、m、l">
          <Button size="s">小</Button>
          <Button>中</Button>
          <Button size="l">大</Button>
        </State>
        <State word="圖示、連結">
          <Button icon="plus">新增</Button>
          <Button trailing="external" href="#Button">
            連結
          </Button>
        </State>
        <State word="60 個字" wide>
          <Button wide long>
            {LONG}
          </Button>
        </State>
      </Part>
      <Part name="IconButton" about="只有圖示的按鍵；停留 0.7 秒會在旁邊寫出名稱。">
        <State word="一般、停用">
          <IconButton icon="edit" label="編輯" />
          <IconButton icon="edit" label="編輯（停用）" disabled />
        </State>
        <State word="按下與放開">
          <IconButton icon={on ? 'bell' : 'bell-off'} label="通知" pressed={on} onClick={() => setOn(!on)} />
        </State>
        <State word="未讀數、加大">
          <IconButton icon="mail" label="訊息" badge={5} />
          <IconButton icon="mail" label="很多訊息" badge={120} large />
        </State>
      </Part>
      <Part name="CopyButton" about="複製一段文字，兩秒內在自己身上說結果。">
        <State word="一般">
          <CopyButton text="凌波">複製文字</CopyButton>
        </State>
      </Part>
      <Part name="ImageButton" about="選一張圖片；同一張失敗後可以再選一次。">
        <State word={picture === '' ? '一般' : `選了 ${picture}`}>
          <ImageButton testId="gallery-file" onFile={(file) => setPicture(file.name)}>
            上傳圖片
          </ImageButton>
        </State>
        <State word="送出中">
          <ImageButton testId="gallery-busy-file" busy onFile={(file) => setPicture(file.name)}>
            上傳圖片
          </ImageButton>
        </State>
      </Part>
      <Part name="Tabs" lines about="有各自網址的分頁；左右鍵移動，Enter 打開。">
        <State word="第一層" wide>
          <Tabs label="分頁示範" {...tabs} />
        </State>
        <State word="第二層" wide>
          <Tabs label="第二層分頁示範" sub {...tabs} />
        </State>
      </Part>
      <Part name="Pager" lines about="一頁放不下時的前後頁。">
        <State word={`第 ${page} 頁，共 5 頁`} wide>
          <Pager page={page} pageSize={10} total={48} onPage={setPage} counter="位" />
        </State>
      </Part>
      <Part name="NewPill" about="捲離頂端時，新訊號不會推動畫面，而是浮在分頁列上方。">
        <State word={fresh > 0 ? `${fresh} 筆` : '沒有新的'}>
          <div className={css.pill}>
            <NewPill count={fresh} onClick={() => setFresh(0)} />
          </div>
          <Button size="s" onClick={() => setFresh((count) => (count === 0 ? 3 : 120))}>
            再來幾筆
          </Button>
        </State>
      </Part>
    </>
  )
}
