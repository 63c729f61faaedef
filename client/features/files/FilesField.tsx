/** Files of a form: chosen, dropped or pasted, checked by their bytes before anything is sent (`form-files.ts`). */
import type { ReactNode } from 'react'
import { type Control, type ControlProps, Field } from '#client/ui/Field.tsx'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { useFileTarget } from './file-target.ts'
import { FilePicker } from './FilePicker.tsx'
import { useSay } from './use-say.ts'

export interface FilesFieldProps {
  rule: FileRule
  /** Where a form has files of several kinds. */
  label?: string
  help?: string
  /** Beside the picker: what is there already. */
  children?: ReactNode
}

export function FilesField({ rule, label, help, children }: FilesFieldProps): ReactNode {
  const t = useSay()
  return (
    <Field
      name={rule.name}
      label={label ?? t('label')}
      help={help ?? t('help', { most: rule.most, mb: rule.bytes / 1_048_576 })}
    >
      {(control, props) => (
        <Place rule={rule} control={control} props={props}>
          {children}
        </Place>
      )}
    </Field>
  )
}

function Place({
  rule,
  control,
  props,
  children,
}: {
  rule: FileRule
  control: Control
  props: ControlProps
  children: ReactNode
}): ReactNode {
  const files = (control.value ?? []) as readonly File[]
  const target = useFileTarget(files, rule, control.onChange)
  return (
    <div className="file-drop" data-over={target.isOver || undefined} {...target.place}>
      {children}
      <FilePicker
        files={files}
        target={target}
        rule={rule}
        control={{ ...props, name: control.name, onBlur: control.onBlur }}
      />
    </div>
  )
}
