// The catch-all: the address leads nowhere.

import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { Clauses } from '#ui/Clauses.tsx'
import { Lone } from './Lone.tsx'

/** Where no frame stands around it. */
export function NotFound() {
  return <Nowhere framed={false} />
}

/** Inside the bars of a shell. */
export function NotFoundInside() {
  return <Nowhere framed />
}

function Nowhere({ framed }: { framed: boolean }) {
  const { go } = useGo()
  return (
    <Lone
      framed={framed}
      title="找不到這個頁面"
      action={
        <Button kind="filled" {...go('/dashboard')}>
          回到首頁
        </Button>
      }
    >
      <p>
        <Clauses>網址可能打錯了，或這一頁已經不在。你的資料都還在。</Clauses>
      </p>
    </Lone>
  )
}
