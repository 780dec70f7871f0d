/* 複製: what the copy is called, and what it takes along; then its own webhook to connect. */
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { duplicateMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { copyName, NAME_MOST } from '#text/strategy.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'

export type DuplicateDialogProps = {
  strategy: Pick<Strategy, 'id' | 'name' | 'kind'>
  onClose: () => void
}

export function DuplicateDialog({ strategy, onClose }: DuplicateDialogProps) {
  const id = useId()
  const { open } = useGo()
  const { mutateAsync } = useMutation(duplicateMutations.make(useCtx()))
  const { values, errors, failure, busy, change, form } = useForm({
    initial: { name: copyName(strategy.name) },
    check: ({ name }): Record<string, string> => (name.trim() === '' ? { name: '請輸入策略名稱' } : {}),
    send: async ({ name }) => {
      const made = await mutateAsync({ id: strategy.id, name })
      open(`/strategies/create/${made.kind}?connect=${made.id}`)
    },
    refused: (error) => {
      const fields = refusedFields(error)
      return fields ? { fields } : { text: failureSentence(error, '沒有複製，') }
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`複製「${strategy.name}」`}
      icon="copy"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            複製策略
          </Button>
        </>
      }
    >
      <p>設定、說明與訊息格式會一樣；Webhook 網址是新的，訊號紀錄從零開始。</p>
      <form id={id} {...form}>
        <TextField
          name="name"
          label="新策略的名稱"
          value={values.name}
          onChange={(name) => change({ name })}
          error={errors['name']}
          maxLength={NAME_MOST}
          counter
          autoComplete="off"
        />
        <Refused text={failure} />
      </form>
    </Dialog>
  )
}
