/* 以加入碼加入: the eight letters; the organization behind them is shown before anything is sent. */
import { useId } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { joinByCode } from '#contract/join.ts'
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'

export function JoinByCode({ onClose }: { onClose: () => void }) {
  const { open } = useGo()
  const id = useId()
  const { field, form } = useForm({
    initial: { code: '' },
    check: (typed) => fieldMessages(joinByCode.input, typed),
    send: async ({ code }) => {
      onClose()
      open(`/my-organizations?invite=${encodeURIComponent(plain(code))}`)
    },
    refused: () => ({}),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="以加入碼加入"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id}>
            下一步
          </Button>
        </>
      }
    >
      <form id={id} {...form}>
        <TextField
          label="加入碼"
          placeholder="ABCD-EFGH"
          autoComplete="off"
          maxLength={20}
          large
          hint="管理者給你的 8 個字母與數字，大小寫都可以"
          {...field('code')}
        />
      </form>
    </Dialog>
  )
}

/** As it stands in the address. */
function plain(typed: string): string {
  const parsed = joinByCode.input.safeParse({ code: typed })
  return parsed.success ? parsed.data.code : typed
}
