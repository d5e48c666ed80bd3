export type SelectOption<V extends string> = {
  value: V;
  label: string;
  disabled?: boolean;
  /** BCP 47 tag of the label when it is not in the page's language. */
  lang?: string;
};

export type SelectControlProps = {
  id: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly SelectOption<string>[];
  placeholder: string;
  size: 'small' | 'default';
  disabled: boolean;
  invalid: boolean;
  describedBy: string | undefined;
};
