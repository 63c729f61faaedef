/** Files of a form: chosen, dropped or pasted, checked by their bytes before anything is sent (`form-files.ts`). */
import type { ReactNode } from 'react'
import { type Control, type ControlProps, Field } from '#client/ui/Field.tsx'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { useFileTarget } from './file-target.ts'
import { FilePicker } from './FilePicker.tsx'
import { useSay } from './use-say.ts'

export function FilesField({ rule }: { rule: FileRule }): ReactNode {
  const t = useSay()
  return (
    <Field name={rule.name} label={t('label')} help={t('help', { most: rule.most, mb: rule.bytes / 1_048_576 })}>
      {(control, props) => <Place rule={rule} control={control} props={props} />}
    </Field>
  )
}

function Place({ rule, control, props }: { rule: FileRule; control: Control; props: ControlProps }): ReactNode {
  const files = (control.value ?? []) as readonly File[]
  const target = useFileTarget(files, rule, control.onChange)
  return (
    <div className="file-drop" data-over={target.isOver || undefined} {...target.place}>
      <FilePicker files={files} target={target} control={{ ...props, name: control.name, onBlur: control.onBlur }} />
    </div>
  )
}
