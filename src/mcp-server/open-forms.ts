/** What a client carries from a question to its answer. */
export interface AskedFor {
  /** Of the form that was given out. */
  readonly form: string;
}

/** Forms that a person may still fill in. */
export interface OpenForms {
  /** Gives out a form for a question; its id. */
  open(question: string): string;
  /** Takes the form back. True where it was open, and for this question: an answer counts once, and for nothing else. */
  take(form: string, question: string): boolean;
}

/** Of more forms than these the oldest are asked again. */
const MOST_OPEN = 1_000;

/** No form is open yet. */
export function openForms(): OpenForms {
  const open = new Map<string, string>();
  return {
    open(question) {
      const form = crypto.randomUUID();
      open.set(form, question);
      for (const oldest of [...open.keys()].slice(0, -MOST_OPEN)) open.delete(oldest);
      return form;
    },
    take(form, question) {
      const asked = open.get(form);
      open.delete(form);
      return asked === question;
    },
  };
}
