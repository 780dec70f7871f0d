/* A sheet to choose several from a list that is searched, with fields below. */
import type { ReactNode } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { Sheet } from '#ui/Sheet.tsx'

/** `list` the rows, `children` the fields under it, `chosen` how many. */
export type PickSheetProps = {
  title: string
  subtitle: string
  label: string
  placeholder: string
  typed: string
  onTyped: (typed: string) => void
  chosen: number
  verb: string
  busy: boolean
  failure: string | null
  onSave: () => void
  onClose: () => void
  list: ReactNode
  children?: ReactNode
}

export function PickSheet(props: PickSheetProps) {
  const { chosen, busy, failure, onSave, onClose } = props
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={chosen > 0}
      title={props.title}
      subtitle={props.subtitle}
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" busy={busy} disabled={chosen === 0} onClick={onSave}>
            {props.verb}
          </Button>
        </>
      }
    >
      <div className="og-fields">
        <SearchField
          label={props.label}
          placeholder={props.placeholder}
          value={props.typed}
          onChange={props.onTyped}
        />
        <div className="og-pick">{props.list}</div>
        {props.children}
        {failure && (
          <Banner tone="danger" icon="warning" urgent>
            {failure}
          </Banner>
        )}
      </div>
    </Sheet>
  )
}

/** One row to choose; `chosen` the ids so far. */
export type PickRowProps = {
  id: string
  name: string
  note: string
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

export function PickRow({ id, name, note, chosen, onChange }: PickRowProps) {
  return (
    <li className="og-pick-row">
      <Checkbox
        checked={chosen.includes(id)}
        onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        label={
          <span className="og-two">
            <span className="el">{name}</span>
            <small className="el">{note}</small>
          </span>
        }
      />
    </li>
  )
}
