declare module '*.module.css' {
  /** Class names as written → as built. */
  const styles: Readonly<Record<string, string>>;
  export default styles;
}

declare module '*.css' {}
