/**
 * Files of a form, which its schema does not cover: checked before sending, with faults at their
 * field.
 */
import { useEffect, useMemo } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import type { TObject } from 'typebox'
import { fieldError, serverFaults } from '#client/ui/form/form.ts'
import type { SchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { fileKindOf, sheetKindOf } from '#shared/kernel/file-kind.ts'

/** A fault found before sending. */
class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly field: string
  readonly key: string
  constructor(field: string, key: string) {
    super(key)
    this.field = field
    this.key = key
  }
}

/** @returns the files unchanged @throws FileFault, which `useFormFiles` shows at the field */
export async function checkFiles(files: readonly File[], rule: FileRule): Promise<readonly File[]> {
  const fault = await faultOfFiles(files, rule)
  if (fault !== null) throw new FileFault(rule.name, fault)
  return files
}

/** Message key of the fault, or null. */
export async function faultOfFiles(files: readonly File[], rule: FileRule): Promise<string | null> {
  if (files.length < rule.least) return 'ui:fault.required'
  for (const file of files) {
    if (file.size > rule.bytes) return 'ui:fault.fileSize'
    const bytes = new Uint8Array(await file.arrayBuffer())
    const kind = fileKindOf(bytes) ?? sheetKindOf(bytes)
    if (kind === null || !rule.kinds.includes(kind)) return rule.refusal ?? 'ui:fault.fileKind'
  }
  return null
}

/**
 * The form with the faults of files at their field, found by the client or by the server. Call it
 * once per rule.
 */
export function useFormFiles<Values extends FieldValues>(
  form: SchemaForm<Values>,
  rule: FileRule,
  schema: TObject,
): SchemaForm<Values> {
  const { refusedBy, required } = form
  const { setError } = form.form
  useEffect(() => {
    const key =
      refusedBy instanceof FileFault
        ? refusedBy.field === rule.name
          ? refusedBy.key
          : undefined
        : serverFaults(refusedBy, schema)[rule.name]?.key
    if (key !== undefined)
      setError(rule.name as Path<Values>, fieldError({ key, params: { limit: rule.most } }))
  }, [refusedBy, setError, rule, schema])
  const marked = useMemo(
    () => (rule.least === 0 ? required : new Set([...required, rule.name])),
    [required, rule],
  )
  return {
    ...form,
    required: marked,
    refusal: refusedBy instanceof FileFault && refusedBy.field === rule.name ? null : form.refusal,
  }
}
