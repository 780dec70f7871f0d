// The gallery: what can be pressed.

import { useId, useState } from 'react'
import { Button, type ButtonKind } from '#ui/Button.tsx'
import { Pager } from '#ui/Card.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { ImageButton } from '#ui/FileButton.tsx'
import { Gate } from '#ui/Gate.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, MenuKey, Popover } from '#ui/Menu.tsx'
import { Dialog, Modal, Sheet } from '#ui/Modal.tsx'
import { NewPill } from '#ui/nouns/DayHeader.tsx'
import { Tabs } from '#ui/Segments.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from '../ComponentDemoPage.module.css'
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
          <div className={css.ActionsPill}>
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

// The gallery: what opens over the page. Each opens by its key, so that they can be tried one after the other.

type Open = 'dialog' | 'danger' | 'sheet' | 'modal' | 'gate' | null

export function Overlays() {
  const id = useId()
  const [open, setOpen] = useState<Open>(null)
  const [typed, setTyped] = useState('')
  const close = () => setOpen(null)
  const key = (what: Open, word: string) => (
    <State word={word}>
      <Button onClick={() => setOpen(what)}>打開</Button>
    </State>
  )
  return (
    <>
      <Part name="Dialog" about="螢幕中間的問題：會發生什麼，然後是動詞。">
        {key('dialog', '一般')}
        {key('danger', '刪除，要打名稱')}
        <Dialog
          open={open === 'dialog'}
          onClose={close}
          title="要離開這一頁嗎？"
          actions={
            <>
              <Button firstFocus onClick={close}>
                留下來
              </Button>
              <Button kind="filled" onClick={close}>
                離開
              </Button>
            </>
          }
        >
          還沒送出的內容會不見。
        </Dialog>
        <Dialog
          open={open === 'danger'}
          onClose={close}
          title="刪除策略"
          icon="trash"
          danger
          sticky
          aside={<Button onClick={close}>改用封存</Button>}
          actions={
            <>
              <Button firstFocus onClick={close}>
                取消
              </Button>
              <Button kind="danger" icon="trash" disabled={typed !== '示範'} onClick={close}>
                刪除
              </Button>
            </>
          }
        >
          <p>{LONG}</p>
          <TextField label="輸入「示範」確認" value={typed} onChange={setTyped} />
        </Dialog>
      </Part>
      <Part name="Sheet" about="手機從下方，寬螢幕從右邊。">
        {key('sheet', '一般')}
        <Sheet
          open={open === 'sheet'}
          onClose={close}
          title="訊號詳情"
          subtitle="台指當沖突破 · 10:31:58"
          foot={
            <Button kind="filled" wide onClick={close}>
              知道了
            </Button>
          }
        >
          <p>{LONG}</p>
        </Sheet>
      </Part>
      <Part name="Modal" about="Dialog 和 Sheet 共用的底：焦點留在裡面，Esc 關閉，焦點還回去。">
        {key('modal', '空的底')}
        <Modal open={open === 'modal'} onClose={close} labelId={`${id}-title`} className={css.OverlaysBare}>
          <h2 id={`${id}-title`} tabIndex={-1}>
            只有底
          </h2>
          <footer className="row gap8">
            <Button onClick={close}>關閉</Button>
          </footer>
        </Modal>
      </Part>
      <Part name="Menu" about="「更多」後面的短清單；上下鍵移動。">
        <State word="一般、停用、刪除">
          <IconButton icon="more" label="更多示範" opensId={`${id}-menu`} />
          <Menu
            id={`${id}-menu`}
            label="更多示範"
            align="start"
            items={[
              { label: '檢視', icon: 'eye', href: '#Menu' },
              { label: '暫停', icon: 'pause', note: '照常記錄，不通知' },
              { label: '匯出', icon: 'download', disabled: true, note: '還沒有紀錄' },
              { label: '刪除', icon: 'trash', danger: true, apart: true },
            ]}
          />
        </State>
      </Part>
      <Part name="MenuKey" about="選單裡的一行。">
        <State word="一般、停用、刪除" wide>
          <MenuKey>一般</MenuKey>
          <MenuKey disabled>停用</MenuKey>
          <MenuKey danger>刪除</MenuKey>
        </State>
      </Part>
      <Part name="Popover" about="浮出的小面板；點旁邊或按 Esc 關閉。">
        <State word="一般">
          <Button opensId={`${id}-pop`}>打開</Button>
          <Popover id={`${id}-pop`} label="小面板示範" align="start">
            <p className={css.OverlaysPanel}>{LONG}</p>
          </Popover>
        </State>
      </Part>
      <Part name="Gate" about="應用程式門口的一頁，只談一件事：登入、同意授權。">
        {key('gate', '整頁')}
        <Modal open={open === 'gate'} onClose={close} labelId={`${id}-gate`} className={css.OverlaysWhole}>
          <p className="vh" id={`${id}-gate`} tabIndex={-1}>
            整頁示範
          </p>
          <Gate
            title="用這個帳號繼續？"
            actions={
              <Button kind="filled" wide onClick={close}>
                繼續
              </Button>
            }
          >
            <p>{LONG}</p>
          </Gate>
        </Modal>
      </Part>
    </>
  )
}
