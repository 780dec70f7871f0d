/* One setting of the kind by its description: the control, its words, its error. */
import { NumberField } from '#ui/NumberField.tsx'
import { SegmentsField } from '#ui/SegmentsField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import { FIELDS, type SettingName } from './kinds.ts'
import type { BoundField, FormApi } from './use-strategy-form.ts'

type Text = Omit<BoundField<'name'>, 'name'> & { name: string }

/** `hint` instead of the described one, where it depends on what else is typed. */
export type SettingFieldProps = { form: FormApi; name: SettingName; hint?: string | undefined }

export function SettingField({ form, name, hint }: SettingFieldProps) {
  const { label, control, options, integer, unit, placeholder, hint: usual } = FIELDS[name]
  const field = form.field(`settings.${name}`)
  if (typeof field.value === 'boolean') {
    const on = (checked: boolean) => form.change({ [`settings.${name}`]: checked })
    return <Switch label={label} note={hint ?? usual ?? ''} checked={field.value} onChange={on} />
  }
  // What is no switch here is a text, whatever it means (kinds/setting.ts).
  const text = field as unknown as Text
  const words = { ...text, label, hint: hint ?? usual, ...(placeholder && { placeholder }) }
  if (control === 'number') return <NumberField {...words} integer={integer} {...(unit && { unit })} />
  if (control === 'choice') return <SegmentsField {...words} options={options} />
  if (control === 'select') return <SelectField {...words} options={options} />
  return <TextField {...words} autoComplete="off" />
}
