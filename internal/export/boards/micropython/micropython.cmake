add_library(usermod_NAME INTERFACE)
target_sources(usermod_NAME INTERFACE ${CMAKE_CURRENT_LIST_DIR}/NAME_module.c)
target_include_directories(usermod_NAME INTERFACE ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(usermod INTERFACE usermod_NAME)
