/* options: /W4 */
#if defined(__STDC__) || defined(__STDC_VERSION__) || !_MSC_EXTENSIONS || !_MSVC_TRADITIONAL
#error cl claims no standard unless asked
#endif
#if _MSVC_WARNING_LEVEL != 4
#error /W4
#endif
typedef int nothing;
