// The gallery: what opens over the page. Each opens by its key, so that they can be tried one after the other.

import { useId, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, MenuKey, Popover } from '#ui/Menu.tsx'
import { Dialog, Modal } from '#ui/Modal.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './Overlays.module.css'
import { LONG, Part, State } from './Part.tsx'

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
        <Modal open={open === 'modal'} onClose={close} labelId={`${id}-title`} className={css.bare}>
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
            <p className={css.panel}>{LONG}</p>
          </Popover>
        </State>
      </Part>
      <Part name="Gate" about="應用程式門口的一頁，只談一件事：登入、同意授權。">
        {key('gate', '整頁')}
        <Modal open={open === 'gate'} onClose={close} labelId={`${id}-gate`} className={css.whole}>
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
