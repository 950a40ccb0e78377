/** The screens with forms: the inquiry and the cookie settings. */
export { CookieSettingsScreen } from "../screens/cookie-settings.tsx";
export { QuestionnaireScreen } from "../screens/questionnaire.tsx";
export { ThankYouScreen } from "../screens/thank-you.tsx";
