// What is wrong with the fields of a dialog, once it was submitted.
import { type ShallowRef, shallowRef, useTemplateRef, watch } from 'vue';

/**
 * By field. The first field that has a problem gets the focus, so that screen readers announce it. In the template, the
 * dialog has the `ref` "dialog".
 */
export function useProblems<Field extends string>(): ShallowRef<Partial<Record<Field, string>>> {
  const dialog = useTemplateRef<{ readonly $el: Element }>('dialog');
  const problems = shallowRef<Partial<Record<Field, string>>>({});
  const focusInvalid = () => dialog.value?.$el.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  watch(problems, focusInvalid, { flush: 'post' });
  return problems;
}
