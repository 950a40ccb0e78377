/** The screens with forms: the inquiry and the cookie settings. */
export { CookieSettingsScreen } from "../screens/cookie-settings-screen.tsx";
export { QuestionnaireScreen } from "../screens/questionnaire-screen.tsx";
export { ThankYouScreen } from "../screens/thank-you-screen.tsx";
