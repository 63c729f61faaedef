/**
 * The file field of a form: chosen, dropped or pasted files, whose type is checked by their bytes
 * before sending (`form-files.ts`).
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { type Control, type ControlProps, Field } from '#client/ui/form/Field.tsx'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { useFileTarget } from './file-target.ts'
import { FilePicker } from './FilePicker.tsx'

export interface FilesFieldProps {
  rule: FileRule
  /** For forms with several kinds of files. */
  label?: string
  help?: string
  /** Shown beside the picker: the files already stored. */
  children?: ReactNode
}

export function FilesField({ rule, label, help, children }: FilesFieldProps): ReactNode {
  const t = useText('files')
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
